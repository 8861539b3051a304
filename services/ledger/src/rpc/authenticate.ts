import type { MessageInitShape } from '@bufbuild/protobuf';
import { failWith } from '@ces/chassis/rpc/failure';
import type { AuthenticateRequest, AuthenticateResponseSchema } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { CREDENTIAL_REFUSED } from '../allowance/refusal.ts';
import { digestsOf, pepperChangeOf } from '../credential/pepper.ts';
import { isToken } from '../credential/token.ts';
import { findIdentity } from '../db/identity.ts';
import { signPrincipal } from '../principal/sign.ts';
import { versionOf } from '../principal/version.ts';
import type { Dependencies } from './dependencies.ts';
import { failureMessage } from './messages.ts';

/** One refusal for all bad keys. A malformed key causes no query. */
export async function authenticate(
  dependencies: Dependencies,
  { bearer }: AuthenticateRequest,
): Promise<MessageInitShape<typeof AuthenticateResponseSchema>> {
  const { pool, peppers, lastUse, moves, signingKeys, clock } = dependencies;
  const digests = isToken(bearer) ? digestsOf(bearer, peppers) : undefined;
  const identity = digests && (await findIdentity(pool, digests));
  if (!identity) throw failWith(failureMessage(CREDENTIAL_REFUSED));
  const { accountId, credentialId, testMode, scopes, subscription, validForMs } = identity;
  lastUse.record(credentialId, identity.usedAt);
  const move = pepperChangeOf(identity, digests);
  if (move) moves.record(credentialId, move);
  const principal = {
    accountId,
    credentialId,
    testMode,
    scopes: [...scopes],
    subscriptionId: subscription?.id ?? 0n,
    subscriptionStatus: subscription?.status ?? 'incomplete',
    plan: subscription?.plan ?? '',
    pageLimit: subscription?.pageLimit ?? 0,
  };
  return {
    principal: { ...principal, signed: signPrincipal(principal, signingKeys, await clock.now()) },
    version: versionOf(identity.version, dependencies),
    ...(validForMs !== undefined && { validForMs }),
  };
}
