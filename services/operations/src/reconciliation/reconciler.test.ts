import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { createPool, type Pool } from '@ces/chassis/postgres/pool';
import { createLogger } from '@ces/chassis/telemetry/log';
import {
  ListMovementsResponseSchema,
  type Movement,
  MovementSchema,
} from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { type Settlement, SettlementSchema } from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { createTestDatabase } from '@ces/test/support/database.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readReconciliationState } from '../db/reconciliation-progress.ts';
import type { PairSources } from './pairs.ts';
import { Reconciler } from './reconciler.ts';

const DAY_MS = 86_400_000;
const UNITS = { requestUnits: 1n, deliveredUnits: 2n };

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

let cleanup: AsyncDisposableStack;
let pool: Pool;
let owner: Pool;
const logger = createLogger('test', 'silent');
const never = new AbortController().signal;

beforeEach(async () => {
  cleanup = new AsyncDisposableStack();
  const database = cleanup.use(await createTestDatabase('operations'));
  const connect = (connectionString: string) => {
    const made = createPool({ connectionString, max: 2, applicationName: 'test', logger });
    cleanup.defer(() => made.end());
    return made;
  };
  pool = connect(database.url);
  owner = connect(database.ownerUrl);
});
afterEach(() => cleanup.disposeAsync());

function reconcilerOf(sources: PairSources): Reconciler {
  return new Reconciler({ pool, sources, maxHoldMs: 60_000, keptMs: 30 * DAY_MS, logger, aPass: 10 });
}

async function number(from: number, to: number): Promise<void> {
  await owner.query(
    `insert into operation (id, account_id, action, request_key, fingerprint, normal_form_version, normal_form,
       subscription_id, credential_id, test_mode, payment, worst_case_units, state, deadline_at, finished_at)
     select n, 1, 'company_search', n, sha256(''), 1, '{}', 1, 1, false, 'hold', 1, 'delivered', now(), now()
     from generate_series($1::int, $2::int) as n`,
    [from, to],
  );
}

async function drift(): Promise<number> {
  return (await readReconciliationState(pool)).differing;
}

test('sources that agree show no drift, and no pass is claimed before they were read', async () => {
  expect((await readReconciliationState(pool)).ageSeconds).toBeUndefined();
  await reconcilerOf(agreeingSources(3).sources).pass(never);
  expect(await readReconciliationState(pool)).toEqual({ differing: 0, ageSeconds: expect.any(Number) });
});

test('an entry that is gone shows until it is back, whichever process looks', async () => {
  const { sources, movements } = agreeingSources(3);
  const kept = movements.get(2n);
  movements.delete(2n);
  await reconcilerOf(sources).pass(never);
  expect(await drift()).toBe(1);
  if (kept) movements.set(2n, kept);
  await reconcilerOf(sources).pass(never);
  expect(await drift()).toBe(0);
});

test('passes go backwards from the newest, each where the last one ended whatever process that was, and round again', async () => {
  await number(1, 25);
  const { sources, settlements } = agreeingSources(25);
  settlements.delete(12n);
  settlements.delete(3n);
  const seen: number[] = [];
  for (let pass = 0; pass < 3; pass += 1) {
    await reconcilerOf(sources).pass(never);
    seen.push(await drift());
  }
  expect(seen).toEqual([0, 1, 2]);
  settlements.delete(20n);
  await reconcilerOf(sources).pass(never);
  expect(await drift()).toBe(3);
});

test('new operations are compared at once, and again until they have ended', async () => {
  await number(1, 25);
  const { sources, settlements, movements } = agreeingSources(30);
  const running = settlements.get(29n);
  if (!running) throw new Error('there is no operation 29');
  for (const id of [26n, 27n, 28n, 29n, 30n]) for (const side of [settlements, movements]) side.delete(id);
  await reconcilerOf(sources).pass(never);
  await number(26, 30);
  const others = agreeingSources(30);
  others.movements.delete(28n);
  others.settlements.set(29n, { ...running, status: Status.PROCESSING });
  await reconcilerOf(others.sources).pass(never);
  expect(await drift()).toBe(1);
  others.settlements.set(29n, { ...running, status: Status.FAILED });
  await reconcilerOf(others.sources).pass(never);
  expect(await drift()).toBe(2);
});

test('ledger entries of lost operations are found, below the oldest and above the newest', async () => {
  await number(10, 12);
  const { sources, settlements } = agreeingSources(20);
  for (const id of [2n, 19n]) settlements.delete(id);
  await reconcilerOf(sources).pass(never);
  expect(await drift()).toBe(2);
});

test('ledger entries below the oldest operation are compared in pages, one per pass, in rotation', async () => {
  await number(91, 100);
  const { sources, settlements } = agreeingSources(100);
  for (let id = 1n; id <= 90n; id += 1n) if (id !== 70n) settlements.delete(id);
  const seen: number[] = [];
  for (let pass = 0; pass < 7; pass += 1) {
    await reconcilerOf(sources).pass(never);
    seen.push(await drift());
  }
  expect(seen).toEqual([0, 20, 40, 60, 79, 89, 89]);
});

test('a process whose clock is a day fast finds no hold too old', async () => {
  const { sources, settlements, movements } = agreeingSources(3);
  const [settlement, movement] = [settlements.get(2n), movements.get(2n)];
  if (!settlement || !movement?.hold) throw new Error('there is no operation 2');
  settlements.set(2n, { ...settlement, status: Status.PENDING });
  const hold = { ...movement.hold, state: HoldState.HELD, createdAt: timestampFromDate(new Date()) };
  movements.set(2n, create(MovementSchema, { hold }));
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
  try {
    await reconcilerOf(sources).pass(never);
  } finally {
    vi.useRealTimers();
  }
  expect(await drift()).toBe(0);
});

test('an aborted pass does not count', async () => {
  const { sources } = agreeingSources(3);
  const ledger = { listMovements: async () => Promise.reject(new Error('away')) };
  await expect(reconcilerOf({ ...sources, ledger }).pass(never)).rejects.toThrow('away');
  expect((await readReconciliationState(pool)).ageSeconds).toBeUndefined();
});

test('an operation that cannot be compared ends no pass, and counts until it can be', async () => {
  const { sources, movements } = agreeingSources(3);
  for (const id of [1n, 3n]) movements.delete(id);
  let isFaulty = true;
  const reconciler = reconcilerOf({
    ...sources,
    ledger: {
      listMovements: async (page) => {
        if (isFaulty && page.limit === 1 && page.afterOperationId === 0n) throw new Error('a fault of operation 1');
        return await sources.ledger.listMovements(page);
      },
    },
  });
  await reconciler.pass(never);
  expect(await readReconciliationState(pool)).toEqual({ differing: 2, ageSeconds: expect.any(Number) });
  isFaulty = false;
  movements.set(1n, agreeingSources(1).movements.get(1n) as Movement);
  await reconciler.pass(never);
  expect(await drift()).toBe(1);
});

test('operations deleted for their age are no difference, however short operations are kept', async () => {
  const { sources, settlements, movements } = agreeingSources(2);
  const taken = [31, 20].map((days) => timestampFromDate(new Date(Date.now() - days * DAY_MS)));
  settlements.clear();
  movements.forEach(({ hold }, id) => {
    if (hold) Object.assign(hold, { createdAt: taken[Number(id) - 1] });
  });
  await reconcilerOf(sources).pass(never);
  const { rows } = await owner.query('select operation_id from reconciliation_open');
  expect(rows).toEqual([{ operation_id: 2n }]);
});
