import { create } from '@bufbuild/protobuf';
import { createLogger } from '@ces/chassis/telemetry/log';
import {
  ListMovementsResponseSchema,
  type Movement,
  MovementSchema,
} from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { type Settlement, SettlementSchema } from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { expect, test } from 'vitest';
import type { PairSources } from './pairs.ts';
import { Reconciler } from './reconciler.ts';

const UNITS = { requestUnits: 1n, deliveredUnits: 2n };

/** Operations 1 to `count`, of which both sides know the same. */
function agreeingSources(count: number) {
  const ids = Array.from({ length: count }, (_, index) => BigInt(index + 1));
  const settlements = new Map<bigint, Settlement>(
    ids.map((operationId) => [
      operationId,
      create(SettlementSchema, {
        operationId,
        subscriptionId: 1n,
        status: Status.DELIVERED,
        metered: true,
        units: UNITS,
        storedCompanies: 2n,
      }),
    ]),
  );
  const movements = new Map<bigint, Movement>(
    ids.map((operationId) => [
      operationId,
      create(MovementSchema, {
        hold: { operationId, subscriptionId: 1n, state: HoldState.POSTED, units: UNITS },
        entry: { operationId, subscriptionId: 1n, units: UNITS },
      }),
    ]),
  );
  const page = <T>(of: Map<bigint, T>, after = 0n, limit = 0): T[] =>
    ids
      .filter((id) => id > after && of.has(id))
      .slice(0, limit)
      .flatMap((id) => of.get(id) ?? []);
  const sources: PairSources = {
    ledger: {
      listMovements: async ({ afterOperationId, limit }) =>
        create(ListMovementsResponseSchema, { movements: page(movements, afterOperationId, limit) }),
    },
    operations: {
      listSettlements: async ({ afterOperationId, limit }) => ({
        settlements: page(settlements, afterOperationId, limit),
      }),
    },
  };
  return { sources, settlements, movements };
}

function reconcilerOf(sources: PairSources): Reconciler {
  return new Reconciler({
    sources,
    maxHoldMs: 60_000,
    logger: createLogger('test', 'silent'),
    now: () => new Date(),
  });
}

test('sources that agree show no drift, and none is claimed before they were read', async () => {
  const reconciler = reconcilerOf(agreeingSources(3).sources);
  expect(reconciler.drift).toBeUndefined();
  await reconciler.pass();
  expect(reconciler.drift).toBe(0);
});

test('an entry that is gone shows until it is back', async () => {
  const { sources, movements } = agreeingSources(3);
  const reconciler = reconcilerOf(sources);
  const kept = movements.get(2n);
  movements.delete(2n);
  await reconciler.pass();
  expect(reconciler.drift).toBe(1);
  if (kept) movements.set(2n, kept);
  await reconciler.pass();
  expect(reconciler.drift).toBe(0);
});

test('a pass goes on where the last one ended, and round again', async () => {
  const { sources, settlements } = agreeingSources(20_005);
  const reconciler = reconcilerOf(sources);
  settlements.delete(20_003n);
  await reconciler.pass();
  expect(reconciler.drift).toBe(0);
  await reconciler.pass();
  expect(reconciler.drift).toBe(1);
  settlements.delete(7n);
  await reconciler.pass();
  expect(reconciler.drift).toBe(2);
});
