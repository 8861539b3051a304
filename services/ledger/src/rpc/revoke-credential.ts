import type { MessageInitShape } from '@bufbuild/protobuf';
import { inTransaction } from '@ces/chassis/postgres/pool';
import type { Actor } from '@ces/chassis/rpc/caller';
import type {
  RevokeCredentialRequest,
  RevokeCredentialResponseSchema,
} from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { insertAudit } from '../db/audit.ts';
import { findCredential, revokeCredential as storeRevocation } from '../db/credential.ts';
import type { Dependencies } from './dependencies.ts';
import { notFound } from './input.ts';
import { credentialMessage } from './messages.ts';

export async function revokeCredential(
  { pool, peppers, logger }: Dependencies,
  { credentialId }: RevokeCredentialRequest,
  actor: Actor,
): Promise<MessageInitShape<typeof RevokeCredentialResponseSchema>> {
  const revoked = await inTransaction(pool, async (client) => {
    const credential = await storeRevocation(client, credentialId);
    if (credential)
      await insertAudit(client, {
        actor,
        action: 'RevokeCredential',
        subjectId: credentialId,
        detail: { accountId: credential.accountId, prefix: credential.prefix },
      });
    return credential;
  });
  if (revoked) logger.info({ credential_id: String(credentialId) }, 'credential revoked');
  const credential = revoked ?? (await findCredential(pool, credentialId));
  if (!credential) throw notFound('credential', credentialId);
  return { credential: credentialMessage(credential, peppers) };
}
