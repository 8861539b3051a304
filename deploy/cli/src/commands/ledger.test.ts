import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { OperationsAdminService } from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { expect, test } from 'vitest';
import { ces, type FakeStack, startFakeStack } from '../../test-support/fake-stack.ts';

/** Delivered operations 1 to `count`, settled equally on both sides except for `changes`. */
function startLedgerAndOperations(
  count: number,
  changes: { missing?: bigint; late?: bigint; drift?: boolean } = {},
): Promise<FakeStack> {
  const ids = Array.from({ length: count }, (_, index) => BigInt(index + 1));
  const units = { requestUnits: 1n, deliveredUnits: 3n };
  let reads = 0;
  return startFakeStack({
    ledger: (router) =>
      router.service(LedgerAdminService, {
        verifyLedger: () => ({
          subscriptions: 1n,
          entries: BigInt(count),
          holds: BigInt(count),
          differences: changes.drift ? [{ subscriptionId: 5n, description: 'week counts 4, entries say 3' }] : [],
        }),
        listMovements: ({ afterOperationId, limit }) => {
          reads += 1;
          const hidden = (id: bigint) => id === changes.missing || (id === changes.late && reads === 1);
          const page = ids.filter((id) => id > afterOperationId && !hidden(id)).slice(0, limit);
          return {
            movements: page.map((operationId) => ({
              hold: {
                operationId,
                subscriptionId: 5n,
                state: HoldState.POSTED,
                units,
                createdAt: timestampFromDate(new Date()),
              },
              entry: { operationId, subscriptionId: 5n, units },
            })),
          };
        },
      }),
    operations: (router) =>
      router.service(OperationsAdminService, {
        listSettlements: ({ afterOperationId, limit }) => ({
          settlements: ids
            .filter((id) => id > afterOperationId)
            .slice(0, limit)
            .map((operationId) => ({
              operationId,
              subscriptionId: 5n,
              status: Status.DELIVERED,
              units,
              storedCompanies: 3n,
              metered: true,
            })),
        }),
      }),
  });
}

test('a ledger and operations that are equal agree, over as many pages as there are', async () => {
  await using stack = await startLedgerAndOperations(12_000);
  const { exitCode, json } = await ces(['ledger', 'verify', '--json'], stack.env);
  expect(exitCode).toBe(0);
  expect(json()).toEqual({ subscriptions: 1, entries: 12_000, holds: 12_000, operations: 12_000, differences: [] });
});

test('a delivered operation without an entry is named and the exit code is 1', async () => {
  await using stack = await startLedgerAndOperations(20, { missing: 7n });
  const { exitCode, json } = await ces(['ledger', 'verify', '--json'], stack.env);
  expect(exitCode).toBe(1);
  expect(json()).toMatchObject({
    differences: [
      { operation_id: 7, subscription_id: 5, description: 'it was delivered, yet the ledger has no entry for it' },
    ],
  });
});

test('an operation that settles while both sides are read is no difference', async () => {
  await using stack = await startLedgerAndOperations(20, { late: 20n });
  expect(await ces(['ledger', 'verify'], stack.env)).toMatchObject({ exitCode: 0 });
});

test('a counter that differs from its entries is a difference', async () => {
  await using stack = await startLedgerAndOperations(1, { drift: true });
  const { exitCode, stdout } = await ces(['ledger', 'verify'], stack.env);
  expect(exitCode).toBe(1);
  expect(stdout).toContain('week counts 4, entries say 3');
});
