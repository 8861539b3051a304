import { FailureCode } from '@ces/chassis/rpc/failure';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { afterEach, expect, test } from 'vitest';
import { companyIds, gate, outcomeOf } from '../../test-support/expect.ts';
import { QUICK, Stack } from '../../test-support/stack.ts';

const request = { requestKey: 'k', input: { query: 'a' } };

let stack: Stack;

afterEach(async () => {
  await stack[Symbol.asyncDispose]();
});

test('a worker that lost its lease can change nothing, and another one delivers', async () => {
  stack = await Stack.forTest(QUICK);
  stack.record.addCompanies(2);
  const stalled = gate();
  stack.search.before = () => stalled.passed;
  const pending = await stack.submit({ ...request, waitMs: 50 });
  await stack.db.query(`update job set fence = fence + 1, owner = 'another', due_at = clock_timestamp() + '1 hour'`);
  stalled.open();
  await expect.poll(() => stack.search.calls.length).toBeGreaterThan(0);
  await expect.poll(async () => (await stack.db.query('select from result')).rowCount).toBe(0);
  expect(await stack.stateOf('k')).toBe('running');
  await stack.db.query(`update job set due_at = clock_timestamp()`);
  const answer = await stack.untilStatus(pending.usage.id, Status.DELIVERED);
  expect(companyIds(outcomeOf(answer, 'companySearch'))).toEqual([1, 2]);
  expect(stack.ledger.count(HoldState.POSTED)).toBe(1);
});

test('a bug of a peer is tried again like a fault, and uses up the request key only when it stays', async () => {
  stack = await Stack.forTest({ ...QUICK, CES_OPERATIONS_ATTEMPTS: '3' });
  stack.record.addCompanies(2);
  let bugs = 1;
  const attempts: string[] = [];
  stack.search.before = (_, query) => {
    attempts.push(query);
    if (query === 'always' || bugs-- > 0) throw new Error('a bug');
  };
  expect(await stack.submit(request)).toMatchObject({ outcome: { case: 'companySearch' } });
  const failed = await stack.submit({ ...request, requestKey: 'always', input: { query: 'always' } });
  expect(outcomeOf(failed, 'failed').code).toBe(FailureCode.SEARCH_FAILED);
  expect(attempts.filter((query) => query === 'always')).toHaveLength(3);
  expect(stack.ledger.count(HoldState.VOID)).toBe(1);
});

test('work whose executor died is done by another process', async () => {
  stack = await Stack.forTest(QUICK);
  stack.record.addCompanies(2);
  const { passed, open } = gate();
  stack.search.before = () => passed;
  const second = await stack.startService();
  const pending = await stack.submit({ ...request, waitMs: 50 });
  await stack.db.query(`update job set owner = 'the dead', fence = fence + 1, due_at = clock_timestamp()`);
  open();
  const answer = await stack.untilStatus(pending.usage.id, Status.DELIVERED);
  expect(answer.usage.units).toMatchObject({ deliveredUnits: 2n });
  expect(await stack.submit(request, second)).toMatchObject({ replayed: true, usage: { id: pending.usage.id } });
});

test('background work continues without a broker', async () => {
  stack = await Stack.forTest({ ...QUICK, NATS_URL: 'nats://127.0.0.1:1' });
  stack.record.addCompanies(2);
  const pending = await stack.submit({ ...request, background: true });
  expect(pending).toMatchObject({ outcome: { case: 'pending' } });
  expect((await stack.untilStatus(pending.usage.id, Status.DELIVERED)).usage.units).toMatchObject({
    deliveredUnits: 2n,
  });
});

test('a message alerts another process long before it would poll', async () => {
  stack = await Stack.forTest({ ...QUICK, CES_OPERATIONS_POLL_INTERVAL_MS: '600000', CES_OPERATIONS_WORKERS: '1' });
  stack.record.addCompanies(2);
  await stack.startService();
  const stalled = gate();
  stack.search.before = (_, query) => (query === 'stalled' ? stalled.passed : undefined);
  const busy = await stack.submit({ ...request, requestKey: 'busy', input: { query: 'stalled' }, background: true });
  await expect.poll(() => stack.stateOf('busy')).toBe('running');
  const pending = await stack.submit({ ...request, background: true });
  await stack.untilStatus(pending.usage.id, Status.DELIVERED, 5_000);
  stalled.open();
  await stack.untilStatus(busy.usage.id, Status.DELIVERED);
});

test('a process that stops keeps no caller waiting and hands its jobs over', async () => {
  stack = await Stack.forTest(QUICK);
  stack.record.addCompanies(2);
  const { passed, open } = gate();
  stack.search.before = () => passed;
  const second = await stack.startService();
  const waiting = stack.submit(request, second);
  await expect.poll(() => stack.stateOf('k')).toBe('running');
  const stopped = stack.stopService(second);
  const pending = await waiting;
  expect(pending).toMatchObject({ outcome: { case: 'pending' }, usage: { status: Status.PROCESSING } });
  await expect.poll(async () => (await stack.db.query('select from job where fence > 1')).rowCount).toBe(1);
  open();
  await stopped;
  expect((await stack.untilStatus(pending.usage.id, Status.DELIVERED)).usage.units).toMatchObject({
    deliveredUnits: 2n,
  });
  expect(stack.ledger.count(HoldState.POSTED)).toBe(1);
});
