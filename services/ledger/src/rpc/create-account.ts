import type { MessageInitShape } from '@bufbuild/protobuf';
import { inTransaction } from '@ces/chassis/postgres/pool';
import type { Actor } from '@ces/chassis/rpc/caller';
import type {
  CreateAccountRequest,
  CreateAccountResponseSchema,
} from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { insertAccount } from '../db/account.ts';
import { insertAudit } from '../db/audit.ts';
import type { Dependencies } from './dependencies.ts';
import { requireText } from './input.ts';
import { accountMessage } from './messages.ts';

export async function createAccount(
  { pool, logger }: Dependencies,
  { name, testMode }: CreateAccountRequest,
  actor: Actor,
): Promise<MessageInitShape<typeof CreateAccountResponseSchema>> {
  requireText(name, 'name', 1, 200);
  const account = await inTransaction(pool, async (client) => {
    const made = await insertAccount(client, name, testMode);
    await insertAudit(client, { actor, action: 'CreateAccount', subjectId: made.id, detail: { name, testMode } });
    return made;
  });
  logger.info({ account_id: String(account.id), test_mode: testMode }, 'account created');
  return { account: accountMessage(account, undefined) };
}
