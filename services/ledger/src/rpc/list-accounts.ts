import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListAccountsRequest,
  ListAccountsResponseSchema,
} from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { listAccounts as selectAccounts } from '../db/account.ts';
import { listSubscriptionsOf } from '../db/subscription.ts';
import type { Dependencies } from './dependencies.ts';
import { requirePageSize } from './input.ts';
import { accountMessage } from './messages.ts';

export async function listAccounts(
  { pool }: Dependencies,
  { afterId, limit }: ListAccountsRequest,
): Promise<MessageInitShape<typeof ListAccountsResponseSchema>> {
  const accounts = await selectAccounts(pool, afterId, requirePageSize(limit, 100, 1_000));
  const subscriptions = await listSubscriptionsOf(
    pool,
    accounts.map(({ id }) => id),
  );
  const byAccount = new Map(subscriptions.map((subscription) => [subscription.accountId, subscription]));
  return { accounts: accounts.map((account) => accountMessage(account, byAccount.get(account.id))) };
}
