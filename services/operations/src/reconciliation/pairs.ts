import type { LedgerAdminService, Movement } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import type { Settlement } from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import type { Client } from '@connectrpc/connect';
import type { OperationPair } from './compare.ts';

export interface PairSources {
  readonly ledger: Pick<Client<typeof LedgerAdminService>, 'listMovements'>;
  readonly operations: {
    listSettlements(page: { afterOperationId: bigint; limit: number }): Promise<{ readonly settlements: Settlement[] }>;
  };
}

const PAGE = 5000;

/** Yields pairs by id, from either side. Holds one page of each in memory. */
export async function* readPairs(sources: PairSources, after = 0n): AsyncGenerator<OperationPair> {
  const settlements = readSettlements(sources, after);
  const movements = readMovements(sources, after);
  let [settlement, movement] = [await nextOf(settlements), await nextOf(movements)];
  while (settlement || movement) {
    const ids = [settlement?.operationId, movement?.hold?.operationId].filter((id) => id !== undefined);
    const operationId = ids.reduce((least, id) => (id < least ? id : least));
    const ours = settlement?.operationId === operationId ? settlement : undefined;
    const theirs = movement?.hold?.operationId === operationId ? movement : undefined;
    yield { operationId, settlement: ours, movement: theirs };
    if (ours) settlement = await nextOf(settlements);
    if (theirs) movement = await nextOf(movements);
  }
}

export async function readPair({ ledger, operations }: PairSources, operationId: bigint): Promise<OperationPair> {
  const at = { afterOperationId: operationId - 1n, limit: 1 };
  const [{ settlements }, { movements }] = await Promise.all([
    operations.listSettlements(at),
    ledger.listMovements(at),
  ]);
  return {
    operationId,
    settlement: settlements.find((settlement) => settlement.operationId === operationId),
    movement: movements.find((movement) => movement.hold?.operationId === operationId),
  };
}

async function* readSettlements({ operations }: PairSources, after: bigint): AsyncGenerator<Settlement> {
  for (let afterOperationId = after; ; ) {
    const { settlements } = await operations.listSettlements({ afterOperationId, limit: PAGE });
    yield* settlements;
    const last = settlements.at(-1);
    if (!last || settlements.length < PAGE) return;
    afterOperationId = last.operationId;
  }
}

async function* readMovements({ ledger }: PairSources, after: bigint): AsyncGenerator<Movement> {
  for (let afterOperationId = after; ; ) {
    const { movements } = await ledger.listMovements({ afterOperationId, limit: PAGE });
    yield* movements;
    const last = movements.at(-1)?.hold;
    if (!last || movements.length < PAGE) return;
    afterOperationId = last.operationId;
  }
}

async function nextOf<T>(items: AsyncGenerator<T, void>): Promise<T | undefined> {
  return (await items.next()).value ?? undefined;
}
