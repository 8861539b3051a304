import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListCredentialsRequest,
  ListCredentialsResponseSchema,
} from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { listCredentials as selectCredentials } from '../db/credential.ts';
import type { Dependencies } from './dependencies.ts';
import { credentialMessage } from './messages.ts';

export async function listCredentials(
  { pool }: Dependencies,
  { accountId }: ListCredentialsRequest,
): Promise<MessageInitShape<typeof ListCredentialsResponseSchema>> {
  const credentials = await selectCredentials(pool, accountId);
  return { credentials: credentials.map(credentialMessage) };
}
