import { FailureCode, fail } from '@ces/chassis/failure';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { afterEach, expect, test } from 'vitest';
import { codeOf, companyIds, gate, outcomeOf } from '../../test-support/expect.ts';
import { answerOf, callerOfAccount, Stack } from '../../test-support/stack.ts';

const QUICK = {
  CES_OPERATIONS_LEASE_MS: '300',
  CES_OPERATIONS_HEARTBEAT_MS: '50',
  CES_OPERATIONS_SWEEP_INTERVAL_MS: '50',
  CES_OPERATIONS_POLL_INTERVAL_MS: '50',
  CES_OPERATIONS_RELAY_INTERVAL_MS: '50',
};
const caller = callerOfAccount(1n);
const request = { caller, requestKey: 'k', input: { query: 'a' } };

let stack: Stack;

async function startStack(env: Readonly<Record<string, string>> = {}): Promise<Stack> {
  stack = await Stack.start({ ...QUICK, ...env });
  stack.showDatabaseOnFailure();
  return stack;
}
afterEach(async () => {
  await stack[Symbol.asyncDispose]();
});

async function submit(client = stack.client(), changes: object = {}) {
  return answerOf(await client.submitCompanySearch({ ...request, ...changes }));
}

async function ended(id: bigint, status: Status, timeout = 10_000) {
  const poll = async () => answerOf(await stack.client().getOperation({ caller, operationId: id }));
  await expect.poll(async () => (await poll()).usage.status, { timeout, interval: 20 }).toBe(status);
  return await poll();
}

async function pointOf(requestKey: string): Promise<string | undefined> {
  const { rows } = await stack.db.query<{ point: string }>('select point from operation where request_key = $1', [
    requestKey,
  ]);
  return rows[0]?.point;
}

test('an operation whose ledger reply was lost goes on by itself, and the retry finds it', async () => {
  await startStack();
  stack.record.addCompanies(2);
  let lose = true;
  stack.ledger.after = (method) => {
    if (lose && method === 'reserve') throw fail(FailureCode.SERVICE_UNAVAILABLE, 'lost');
  };
  expect(await codeOf(submit())).toBe(FailureCode.SERVICE_UNAVAILABLE);
  expect(await pointOf('k')).toBe('created');
  lose = false;
  await expect.poll(() => pointOf('k'), { timeout: 10_000 }).toBe('delivered');
  expect(await submit()).toMatchObject({ replayed: true, usage: { units: { deliveredUnits: 2n } } });
  expect([stack.ledger.count(HoldState.POSTED), stack.ledger.movements.size]).toEqual([1, 1]);
});

test('a retry that finds an operation nobody has asked the ledger for asks it', async () => {
  await startStack({ CES_OPERATIONS_SWEEP_INTERVAL_MS: '600000' });
  stack.record.addCompanies(2);
  let away = true;
  stack.ledger.before = () => {
    if (away) throw fail(FailureCode.SERVICE_UNAVAILABLE, 'away');
  };
  expect(await codeOf(submit())).toBe(FailureCode.SERVICE_UNAVAILABLE);
  away = false;
  expect(await codeOf(submit(undefined, { input: { query: 'other' } }))).toBe(FailureCode.IDEMPOTENCY_CONFLICT);
  expect(await submit()).toMatchObject({ replayed: true, usage: { status: Status.DELIVERED } });
});

test('an operation that the ledger refuses when it is asked again leaves the key to other inputs', async () => {
  await startStack({ CES_OPERATIONS_SWEEP_INTERVAL_MS: '600000' });
  stack.record.addCompanies(2);
  let away = true;
  stack.ledger.before = () => {
    if (away) throw fail(FailureCode.SERVICE_UNAVAILABLE, 'away');
  };
  expect(await codeOf(submit())).toBe(FailureCode.SERVICE_UNAVAILABLE);
  away = false;
  stack.ledger.deliveredLimit = 5n;
  expect(await codeOf(submit())).toBe(FailureCode.REQUEST_LIMIT_REACHED);
  expect(await pointOf('k')).toBeUndefined();
  const smaller = await submit(undefined, { input: { query: 'a', limit: 5 } });
  expect(smaller).toMatchObject({ replayed: false, usage: { status: Status.DELIVERED } });
});

test('a stored result is never shown before it is settled, and is settled by whoever finds it', async () => {
  await startStack();
  stack.record.addCompanies(2);
  let away = true;
  stack.ledger.before = (method) => {
    if (away && method === 'settle') throw fail(FailureCode.SERVICE_UNAVAILABLE, 'away');
  };
  const pending = await submit(undefined, { waitMs: 500 });
  expect(pending).toMatchObject({ outcome: { case: 'pending' }, usage: { status: Status.PROCESSING } });
  const poll = stack.client().getOperation({ caller, operationId: pending.usage.id });
  expect(await codeOf(poll)).toBe(FailureCode.SERVICE_UNAVAILABLE);
  expect(await pointOf('k')).toBe('stored');
  away = false;
  await expect.poll(() => pointOf('k'), { timeout: 10_000 }).toBe('delivered');
  expect(companyIds(outcomeOf(await submit(), 'companySearch'))).toEqual([1, 2]);
  expect(stack.ledger.count(HoldState.POSTED)).toBe(1);
});

test('a worker that lost its lease can change nothing, and another one delivers', async () => {
  await startStack();
  stack.record.addCompanies(2);
  const stalled = gate();
  stack.search.before = () => stalled.passed;
  const pending = await submit(undefined, { waitMs: 50 });
  await stack.db.query(`update job set fence = fence + 1, owner = 'another', due_at = clock_timestamp() + '1 hour'`);
  stalled.open();
  await expect.poll(() => stack.search.calls.length).toBeGreaterThan(0);
  await expect.poll(async () => (await stack.db.query('select from result')).rowCount).toBe(0);
  expect(await pointOf('k')).toBe('running');
  await stack.db.query(`update job set due_at = clock_timestamp()`);
  const answer = await ended(pending.usage.id, Status.DELIVERED);
  expect(companyIds(outcomeOf(answer, 'companySearch'))).toEqual([1, 2]);
  expect(stack.ledger.count(HoldState.POSTED)).toBe(1);
});

test('a transient fault is tried again, at most so many times, then the operation fails for good', async () => {
  await startStack({ CES_OPERATIONS_ATTEMPTS: '2' });
  stack.record.addCompanies(2);
  let faults = 1;
  stack.search.before = (_, query) => {
    if (query === 'never' || faults-- > 0) throw fail(FailureCode.SERVICE_UNAVAILABLE, 'away');
  };
  const first = await submit();
  expect(first).toMatchObject({ outcome: { case: 'companySearch' } });
  const failed = await submit(undefined, { requestKey: 'never', input: { query: 'never' } });
  expect(outcomeOf(failed, 'failed').code).toBe(FailureCode.SEARCH_FAILED);
  expect(stack.ledger.count(HoldState.VOID)).toBe(1);
});

test('work whose executor died is done by another process', async () => {
  await startStack();
  stack.record.addCompanies(2);
  const { passed, open } = gate();
  stack.search.before = () => passed;
  const second = await stack.startService();
  const pending = await submit(undefined, { waitMs: 50 });
  await stack.db.query(`update job set owner = 'the dead', fence = fence + 1, due_at = clock_timestamp()`);
  open();
  const answer = await ended(pending.usage.id, Status.DELIVERED);
  expect(answer.usage.units).toMatchObject({ deliveredUnits: 2n });
  expect(await submit(stack.client(second))).toMatchObject({ replayed: true, usage: { id: pending.usage.id } });
});

test('an operation that nobody claims in time expires, and its hold with it', async () => {
  await startStack({ CES_OPERATIONS_PENDING_MS: '1' });
  const expired = await submit(undefined, { background: true });
  const answer = await ended(expired.usage.id, Status.FAILED);
  expect(outcomeOf(answer, 'failed').code).toBe(FailureCode.USAGE_EXPIRED);
  expect(answer.usage.units).toMatchObject({ requestUnits: 0n, deliveredUnits: 0n });
  expect(stack.ledger.count(HoldState.VOID)).toBe(1);
  expect(await submit()).toMatchObject({ replayed: true, outcome: { case: 'failed' } });
});

test('an operation that is worked on for too long expires under its worker', async () => {
  await startStack({ CES_OPERATIONS_PROCESSING_MS: '100' });
  stack.record.addCompanies(2);
  const stalled = gate();
  stack.search.before = () => stalled.passed;
  const failed = await submit();
  expect(outcomeOf(failed, 'failed').code).toBe(FailureCode.USAGE_EXPIRED);
  stalled.open();
  await expect.poll(() => stack.search.calls.length).toBeGreaterThan(0);
  expect(await pointOf('k')).toBe('failed');
  expect((await stack.db.query('select from result')).rowCount).toBe(0);
});

test('an operation that killed all its workers fails', async () => {
  await startStack();
  const { passed } = gate();
  stack.search.before = () => passed;
  const pending = await submit(undefined, { waitMs: 20 });
  await stack.db.query(`update job set attempts = 5, fence = 9, owner = 'the dead', due_at = clock_timestamp()`);
  const answer = await ended(pending.usage.id, Status.FAILED);
  expect(outcomeOf(answer, 'failed').code).toBe(FailureCode.SEARCH_FAILED);
});

test('nobody sees a failure that still blocks units', async () => {
  await startStack({ CES_OPERATIONS_SWEEP_INTERVAL_MS: '600000' });
  let away = true;
  stack.ledger.before = (method) => {
    if (away && method === 'release') throw fail(FailureCode.SERVICE_UNAVAILABLE, 'away');
  };
  stack.search.before = () => {
    throw fail(FailureCode.PLANNING_UNAVAILABLE, 'no');
  };
  const call = submit(undefined, { waitMs: 1 });
  expect(await codeOf(call)).toBeUndefined();
  const { id } = (await call).usage;
  await expect.poll(() => pointOf('k')).toBe('failing');
  expect(await codeOf(stack.client().getOperation({ caller, operationId: id }))).toBe(FailureCode.SERVICE_UNAVAILABLE);
  away = false;
  expect((await ended(id, Status.FAILED)).outcome.case).toBe('failed');
  expect(stack.ledger.count(HoldState.VOID)).toBe(1);
});

test('a charge whose reply was lost is charged once, and refused ones are never shown', async () => {
  await startStack({ CES_OPERATIONS_SWEEP_INTERVAL_MS: '600000' });
  stack.record.addCompanies(3);
  const lookUp = (requestKey: string, ids: bigint[]) =>
    stack.client().submitCompanyLookup({ caller, requestKey, input: { ids } });
  let lose = true;
  stack.ledger.after = (method) => {
    if (lose && method === 'charge') throw fail(FailureCode.SERVICE_UNAVAILABLE, 'lost');
  };
  expect(await codeOf(lookUp('charged', [1n, 2n]))).toBe(FailureCode.SERVICE_UNAVAILABLE);
  expect(await pointOf('charged')).toBe('stored');
  stack.ledger.deliveredLimit = 2n;
  expect(await codeOf(lookUp('refused', [1n, 2n, 3n]))).toBe(FailureCode.SERVICE_UNAVAILABLE);
  const { rows } = await stack.db.query<{ id: bigint }>(`select id from operation where request_key = 'refused'`);
  lose = false;
  expect(answerOf(await lookUp('charged', [2n, 1n]))).toMatchObject({ replayed: true });
  expect(await codeOf(stack.client().getOperation({ caller, operationId: rows[0]?.id ?? 0n }))).toBe(
    FailureCode.USAGE_NOT_FOUND,
  );
  expect(await pointOf('refused')).toBeUndefined();
  expect(stack.ledger.count(HoldState.POSTED)).toBe(1);
});

test('the sweeper charges what was stored and lets go of what is refused', async () => {
  await startStack();
  stack.record.addCompanies(3);
  const lookUp = (requestKey: string, ids: bigint[]) =>
    stack.client().submitCompanyLookup({ caller, requestKey, input: { ids } });
  let away = true;
  stack.ledger.before = (method) => {
    if (away && method === 'charge') throw fail(FailureCode.SERVICE_UNAVAILABLE, 'away');
  };
  stack.ledger.deliveredLimit = 2n;
  expect(await codeOf(lookUp('fits', [1n, 2n]))).toBe(FailureCode.SERVICE_UNAVAILABLE);
  expect(await codeOf(lookUp('too much', [1n, 2n, 3n]))).toBe(FailureCode.SERVICE_UNAVAILABLE);
  away = false;
  await expect.poll(() => pointOf('fits'), { timeout: 10_000 }).toBe('delivered');
  await expect.poll(() => pointOf('too much'), { timeout: 10_000 }).toBeUndefined();
});

test('background work goes on without a broker', async () => {
  await startStack({ NATS_URL: 'nats://127.0.0.1:1' });
  stack.record.addCompanies(2);
  const pending = await submit(undefined, { background: true });
  expect(pending).toMatchObject({ outcome: { case: 'pending' } });
  expect((await ended(pending.usage.id, Status.DELIVERED)).usage.units).toMatchObject({ deliveredUnits: 2n });
});

test('a bell alone brings another process, long before it would look by itself', async () => {
  await startStack({ CES_OPERATIONS_POLL_INTERVAL_MS: '600000', CES_OPERATIONS_WORKERS: '1' });
  stack.record.addCompanies(2);
  await stack.startService();
  const stalled = gate();
  stack.search.before = (_, query) => (query === 'stalled' ? stalled.passed : undefined);
  const busy = await submit(undefined, { requestKey: 'busy', input: { query: 'stalled' }, background: true });
  await expect.poll(() => pointOf('busy')).toBe('running');
  const pending = await submit(undefined, { background: true });
  await ended(pending.usage.id, Status.DELIVERED, 5_000);
  stalled.open();
  await ended(busy.usage.id, Status.DELIVERED);
});

test('a process that stops keeps nobody waiting and hands its work over', async () => {
  await startStack();
  stack.record.addCompanies(2);
  const { passed, open } = gate();
  stack.search.before = () => passed;
  const second = await stack.startService();
  const waiting = submit(stack.client(second));
  await expect.poll(() => pointOf('k')).toBe('running');
  const stopped = stack.stopService(second);
  const pending = await waiting;
  expect(pending).toMatchObject({ outcome: { case: 'pending' }, usage: { status: Status.PROCESSING } });
  await expect
    .poll(async () => (await stack.db.query('select from job where fence > 1')).rowCount, { timeout: 20_000 })
    .toBe(1);
  open();
  await stopped;
  expect((await ended(pending.usage.id, Status.DELIVERED)).usage.units).toMatchObject({ deliveredUnits: 2n });
  expect(stack.ledger.count(HoldState.POSTED)).toBe(1);
});

test('an operation that is no longer kept keeps its key for ever', async () => {
  await startStack({ CES_OPERATIONS_RETENTION_MS: '1' });
  stack.record.addCompanies(2);
  const first = await submit();
  await expect.poll(() => pointOf('k')).toBe('delivered');
  const second = await stack.startService();
  await expect.poll(() => pointOf('k'), { timeout: 10_000 }).toBe('retired');
  expect(await codeOf(submit(stack.client(second)))).toBe(FailureCode.USAGE_EXPIRED);
  expect(await codeOf(submit(undefined, { input: { query: 'b' } }))).toBe(FailureCode.USAGE_EXPIRED);
  const poll = stack.client().getOperation({ caller, operationId: first.usage.id });
  expect(await codeOf(poll)).toBe(FailureCode.USAGE_EXPIRED);
  expect((await stack.db.query('select from result')).rowCount).toBe(0);
});
