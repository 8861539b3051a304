import { inTransactionAfter, type Pool } from '@ces/chassis/postgres/pool';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import type { ConnectRouter } from '@connectrpc/connect';

const LOCK = 'select used from balance where subscription_id = $1 for update';
const POST = 'insert into posting (operation_id, subscription_id) values ($1, $2)';
const WRITE = 'update balance set used = $2 where subscription_id = $1';

interface Posting {
  readonly operationId: bigint;
  readonly subscriptionId: bigint;
}

/** A posting is one transaction: the balance under its lock, a row, the balance. */
export function routeLedger(pool: Pool): (router: ConnectRouter) => void {
  const post = ({ operationId, subscriptionId }: Posting) =>
    inTransactionAfter(
      pool,
      (client) => client.query<{ used: bigint }>(LOCK, [subscriptionId]),
      async (client, { rows: [balance] }) => {
        await Promise.all([
          client.query(POST, [operationId, subscriptionId]),
          client.query(WRITE, [subscriptionId, (balance?.used ?? 0n) + 1n]),
        ]);
      },
    );
  const admit = async (posting: Posting) => {
    await post(posting);
    return { outcome: { case: 'admitted', value: {} } } as const;
  };
  return (router) => {
    router.rpc(LedgerService.method.charge, admit);
    router.rpc(LedgerService.method.reserve, admit);
    router.rpc(LedgerService.method.settle, async (posting) => {
      await post(posting);
      return {};
    });
  };
}
