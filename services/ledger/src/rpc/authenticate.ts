import type { MessageInitShape } from '@bufbuild/protobuf';
import { failWith } from '@ces/chassis/rpc/failure';
import type { AuthenticateRequest, AuthenticateResponseSchema } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { CREDENTIAL_REFUSED } from '../allowance/refusal.ts';
import { digestOf } from '../credential/pepper.ts';
import { isToken } from '../credential/token.ts';
import { findIdentity } from '../db/identity.ts';
import { signPrincipal } from '../principal/sign.ts';
import type { Dependencies } from './dependencies.ts';
import { failureMessage } from './messages.ts';

/** Missing, malformed, unknown and revoked are one refusal; what cannot be a token never reaches the database. */
export async function authenticate(
  { pool, peppers, lastUse, signingKeys, clock }: Dependencies,
  { bearer }: AuthenticateRequest,
): Promise<MessageInitShape<typeof AuthenticateResponseSchema>> {
  const digests = isToken(bearer) ? peppers.map((pepper) => digestOf(bearer, pepper)) : [];
  const identity = digests.length > 0 ? await findIdentity(pool, digests) : undefined;
  if (!identity) throw failWith(failureMessage(CREDENTIAL_REFUSED));
  lastUse.record(identity.credentialId, identity.usedAt);
  const { accountId, credentialId, testMode, subscription } = identity;
  const principal = {
    accountId,
    credentialId,
    testMode,
    subscriptionId: subscription?.id ?? 0n,
    subscriptionStatus: subscription?.status ?? 'incomplete',
    plan: subscription?.plan ?? '',
    pageLimit: subscription?.pageLimit ?? 0,
  };
  const signed = signingKeys.length > 0 ? signPrincipal(principal, signingKeys, await clock.now()) : undefined;
  return { principal: { ...principal, ...(signed && { signed }) } };
}
