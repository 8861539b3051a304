import { setTimeout as pause } from 'node:timers/promises';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { CRASHING_MAIN, startServiceProcess } from '@ces/test/support/service-process.ts';
import { afterEach, expect, test } from 'vitest';
import { gate } from '../../test-support/expect.ts';
import { QUICK, Stack } from '../../test-support/stack.ts';

const request = { requestKey: 'k', input: { query: 'a' } };
/** A lease that a busy machine can still extend in time. */
const KEPT_UP = { ...QUICK, CES_OPERATIONS_LEASE_MS: '2000', CES_OPERATIONS_HEARTBEAT_MS: '100' };
/** No heartbeat extends this lease during a test. */
const NO_HEARTBEAT = { ...QUICK, CES_OPERATIONS_LEASE_MS: '60000', CES_OPERATIONS_HEARTBEAT_MS: '25000' };

let stack: Stack;

afterEach(async () => {
  await stack[Symbol.asyncDispose]();
});

async function startStack(env: Readonly<Record<string, string>> = QUICK): Promise<void> {
  stack = await Stack.forTest(env);
  stack.record.addCompanies(3);
}

async function jobs() {
  return (await stack.db.query<{ fence: bigint; attempts: number }>('select fence, attempts from job')).rows;
}

function holds() {
  return [HoldState.HELD, HoldState.POSTED, HoldState.VOID].map((state) => stack.ledger.count(state));
}

test('a short search is stored under its acceptance: no claim is written', async () => {
  await startStack();
  const seen: unknown[] = [];
  stack.search.before = async () => void seen.push(await stack.stateOf('k'), ...(await jobs()));
  const { usage } = await stack.submit(request);
  expect(usage).toMatchObject({ status: Status.DELIVERED, units: { deliveredUnits: 3n } });
  expect(seen.slice(0, 2)).toEqual(['created', { fence: 1n, attempts: 1 }]);
  const { rows } = await stack.db.query('select started_at <= stored_at as is_dated from operation');
  expect(rows).toEqual([{ is_dated: true }]);
  expect(holds()).toEqual([0, 1, 0]);
});

test('a concurrent identical call gets the operation, which runs once', async () => {
  await startStack();
  const { passed, open } = gate();
  stack.search.before = () => passed;
  const first = stack.submit(request);
  await expect.poll(() => stack.stateOf('k')).toBe('created');
  await expect.poll(() => stack.ledger.count(HoldState.HELD)).toBe(1);
  const told = await stack.submit({ ...request, waitMs: 1 });
  expect(told).toMatchObject({ replayed: true, outcome: { case: 'pending' } });
  expect((await stack.poll(told.usage.id)).usage.units).toMatchObject({ deliveredUnits: 0n });
  open();
  expect((await first).usage).toMatchObject({ id: told.usage.id, status: Status.DELIVERED });
  expect(stack.search.calls).toEqual(['planAndSearch']);
  expect(holds()).toEqual([0, 1, 0]);
});

test('a search that takes longer is running, for as long as its heartbeat says so, and runs once', async () => {
  await startStack(KEPT_UP);
  const { passed, open } = gate();
  stack.search.before = () => passed;
  const call = stack.submit(request);
  await expect.poll(() => stack.stateOf('k')).toBe('running');
  await pause(Number(KEPT_UP.CES_OPERATIONS_LEASE_MS) * 2);
  expect(await jobs()).toEqual([{ fence: 1n, attempts: 1 }]);
  open();
  expect((await call).usage).toMatchObject({ status: Status.DELIVERED, units: { deliveredUnits: 3n } });
  expect(stack.search.calls).toEqual(['planAndSearch']);
  expect(holds()).toEqual([0, 1, 0]);
});

test('sources are asked only for claimed operations', async () => {
  await startStack({ ...QUICK, CES_ACQUISITION_ON_DEMAND: 'true' });
  const seen: unknown[] = [];
  stack.acquisition.answer = async () => {
    seen.push(await stack.stateOf('k'));
    return {};
  };
  expect((await stack.submit(request)).usage.status).toBe(Status.DELIVERED);
  expect(seen).toEqual(['running']);
});

test('a search that its process did not live to store is withdrawn once, without a charge', async () => {
  await startStack(KEPT_UP);
  const env = { ...stack.env, CES_CRASH_AT: 'run.before_stored', CES_OPERATIONS_WORKERS: '0' };
  await using doomed = await startServiceProcess('operations', env, CRASHING_MAIN);
  await expect(stack.submit(request, doomed)).rejects.toThrow();
  expect(await doomed.ended).toBe('SIGKILL');
  await expect.poll(() => stack.countOperations()).toBe(0);
  expect(holds()).toEqual([0, 0, 1]);
  expect(stack.search.calls).toEqual(['planAndSearch']);
  expect(await stack.submit(request)).toMatchObject({ replayed: false, usage: { status: Status.DELIVERED } });
  expect(holds()).toEqual([0, 1, 1]);
});

test('an operation that was shown to a caller runs again in quarantine and is charged once', async () => {
  await startStack(KEPT_UP);
  const env = { ...stack.env, CES_CRASH_AT: 'run.before_stored', CES_OPERATIONS_WORKERS: '0' };
  await using doomed = await startServiceProcess('operations', env, CRASHING_MAIN);
  const { passed, open } = gate();
  stack.search.before = () => passed;
  const first = stack.submit(request, doomed).catch(() => undefined);
  await expect.poll(() => stack.ledger.count(HoldState.HELD)).toBe(1);
  const told = await stack.submit({ ...request, waitMs: 1 });
  open();
  await first;
  expect(await doomed.ended).toBe('SIGKILL');
  const { usage } = await stack.untilStatus(told.usage.id, Status.DELIVERED);
  expect(usage.units).toMatchObject({ deliveredUnits: 3n });
  expect(holds()).toEqual([0, 1, 0]);
});

test('a search whose lease ended under it stores nothing, and its caller gets the answer of another', async () => {
  await startStack(NO_HEARTBEAT);
  const { passed, open } = gate();
  let searches = 0;
  stack.search.before = async (method) => {
    if (method !== 'plan') return;
    searches += 1;
    if (searches === 1) await passed;
  };
  const call = stack.submit(request);
  await expect.poll(() => searches).toBe(1);
  const { rows } = await stack.db.query<{ id: bigint }>('select id from operation');
  await stack.db.query('update job set due_at = clock_timestamp()');
  await expect.poll(() => stack.countOperations()).toBe(0);
  open();
  const { usage } = await call;
  expect(usage).toMatchObject({ status: Status.DELIVERED, units: { deliveredUnits: 3n } });
  expect(usage.id).not.toBe(rows[0]?.id);
  expect(holds()).toEqual([0, 1, 1]);
  expect(await stack.countOperations()).toBe(1);
});

test('a stopping process reports an unfinished search to its caller, and another process ends it', async () => {
  await startStack();
  const second = await stack.startService({ CES_OPERATIONS_WORKERS: '0' });
  const { passed, open } = gate();
  stack.search.before = () => passed;
  const call = stack.submit(request, second);
  await expect.poll(() => stack.ledger.count(HoldState.HELD)).toBe(1);
  await pause(50);
  const stopped = stack.stopService(second);
  const told = await call;
  expect(told).toMatchObject({ outcome: { case: 'pending' }, usage: { status: Status.PROCESSING } });
  open();
  await stopped;
  expect((await stack.untilStatus(told.usage.id, Status.DELIVERED)).usage.units).toMatchObject({ deliveredUnits: 3n });
  expect(holds()).toEqual([0, 1, 0]);
});
