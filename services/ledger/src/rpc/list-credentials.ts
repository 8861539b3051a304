import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListCredentialsRequest,
  ListCredentialsResponseSchema,
} from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { listCredentials as selectCredentials } from '../db/credential.ts';
import type { Dependencies } from './dependencies.ts';
import { requirePageSize } from './input.ts';
import { credentialMessage } from './messages.ts';

const LARGEST_PAGE = 10_000;

export async function listCredentials(
  { pool, peppers }: Dependencies,
  { accountId, afterId, limit, needsOldPepper }: ListCredentialsRequest,
): Promise<MessageInitShape<typeof ListCredentialsResponseSchema>> {
  const credentials = await selectCredentials(pool, {
    accountId: accountId || undefined,
    afterId,
    limit: requirePageSize(limit, LARGEST_PAGE, LARGEST_PAGE),
    notAtPepper: needsOldPepper ? peppers[0].name : undefined,
  });
  return { credentials: credentials.map((credential) => credentialMessage(credential, peppers)) };
}
