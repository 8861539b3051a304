import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Actor } from '@ces/chassis/rpc/caller';
import type {
  RotateCredentialRequest,
  RotateCredentialResponseSchema,
} from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { type Credential, findCredential } from '../db/credential.ts';
import type { Dependencies } from './dependencies.ts';
import { invalid, notFound, requireInstant } from './input.ts';
import { issue } from './issue-credential.ts';
import { credentialMessage } from './messages.ts';

export async function rotateCredential(
  dependencies: Dependencies,
  { credentialId, expiresAt }: RotateCredentialRequest,
  actor: Actor,
): Promise<MessageInitShape<typeof RotateCredentialResponseSchema>> {
  const old = await findCredential(dependencies.pool, credentialId);
  if (!old) throw notFound('credential', credentialId);
  if (old.revokedAt) throw invalid('A revoked credential has no successor; issue a new one.');
  const detail = { successorOf: credentialId };
  const newExpiry = expiresAt
    ? requireInstant(expiresAt, 'expires_at')
    : expiryLike(old, await dependencies.clock.now());
  const wanted = { ...old, expiresAt: newExpiry };
  const { credential, token } = await issue(dependencies, wanted, { actor, action: 'RotateCredential', detail });
  return { credential: credentialMessage(credential, dependencies.peppers), token };
}

/** Uses the clock that ends it. Undefined if the old one never expires. */
function expiryLike({ createdAt, expiresAt }: Credential, now: Date): Date | undefined {
  return expiresAt && new Date(now.getTime() + expiresAt.getTime() - createdAt.getTime());
}
