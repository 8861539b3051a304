import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { afterEach, expect, test } from 'vitest';
import { codeOf, gate, outcomeOf } from '../../test-support/expect.ts';
import { callerOfAccount, QUICK, Stack } from '../../test-support/stack.ts';

const caller = callerOfAccount(1n);
const request = { requestKey: 'k', input: { query: 'a' } };

let stack: Stack;

afterEach(async () => {
  await stack[Symbol.asyncDispose]();
});

test('an operation that no process claims in time expires, and its hold with it', async () => {
  stack = await Stack.forTest({ ...QUICK, CES_OPERATIONS_PENDING_MS: '1' });
  const expired = await stack.submit({ ...request, background: true });
  const answer = await stack.untilStatus(expired.usage.id, Status.FAILED);
  expect(outcomeOf(answer, 'failed').code).toBe(FailureCode.USAGE_EXPIRED);
  expect(answer.usage.units).toMatchObject({ requestUnits: 0n, deliveredUnits: 0n });
  expect(stack.ledger.count(HoldState.VOID)).toBe(1);
  expect(await stack.submit(request)).toMatchObject({ replayed: true, outcome: { case: 'failed' } });
});

test('an operation that is worked on for too long expires under its worker', async () => {
  stack = await Stack.forTest({ ...QUICK, CES_OPERATIONS_PROCESSING_MS: '100' });
  stack.record.addCompanies(2);
  const stalled = gate();
  let goneOn = 0;
  stack.search.before = async () => {
    await stalled.passed;
    goneOn += 1;
  };
  const failed = await stack.submit(request);
  expect(outcomeOf(failed, 'failed').code).toBe(FailureCode.USAGE_EXPIRED);
  stalled.open();
  await expect.poll(() => goneOn).toBeGreaterThan(0);
  expect(await stack.stateOf('k')).toBe('failed');
  expect((await stack.db.query('select from result')).rowCount).toBe(0);
});

test('an operation that killed all its workers fails', async () => {
  stack = await Stack.forTest(QUICK);
  const { passed } = gate();
  stack.search.before = () => passed;
  const pending = await stack.submit({ ...request, waitMs: 20 });
  await stack.db.query(`update job set attempts = 5, fence = 9, owner = 'the dead', due_at = clock_timestamp()`);
  const answer = await stack.untilStatus(pending.usage.id, Status.FAILED);
  expect(outcomeOf(answer, 'failed').code).toBe(FailureCode.SEARCH_FAILED);
});

test('no caller sees a failure that still blocks units', async () => {
  stack = await Stack.forTest({ ...QUICK, CES_OPERATIONS_SWEEP_INTERVAL_MS: '600000' });
  let away = true;
  stack.ledger.before = (method) => {
    if (away && method === 'release') throw fail(FailureCode.SERVICE_UNAVAILABLE, 'away');
  };
  stack.search.before = () => {
    throw fail(FailureCode.PLANNING_UNAVAILABLE, 'no');
  };
  const call = stack.submit({ ...request, waitMs: 1 });
  expect(await codeOf(call)).toBeUndefined();
  const { id } = (await call).usage;
  await expect.poll(() => stack.stateOf('k')).toBe('failing');
  expect(await codeOf(stack.client().getOperation({ caller, operationId: id }))).toBe(FailureCode.SERVICE_UNAVAILABLE);
  away = false;
  expect((await stack.untilStatus(id, Status.FAILED)).outcome.case).toBe('failed');
  expect(stack.ledger.count(HoldState.VOID)).toBe(1);
});

test('a deleted operation keeps its request key forever', async () => {
  stack = await Stack.forTest(QUICK);
  stack.record.addCompanies(2);
  const first = await stack.submit(request);
  await expect.poll(() => stack.stateOf('k')).toBe('delivered');
  expect(stack.ledger.count(HoldState.POSTED)).toBe(1);
  await stack.db.query(
    "update operation set created_at = created_at - interval '401 days', finished_at = finished_at - interval '401 days'",
  );
  expect(await codeOf(stack.submit(request))).toBe(FailureCode.USAGE_EXPIRED);
  // The next leader checks immediately.
  if (stack.first) await stack.stopService(stack.first);
  stack.first = await stack.startService();
  await expect.poll(() => stack.stateOf('k')).toBeUndefined();
  expect(await codeOf(stack.submit(request))).toBe(FailureCode.USAGE_EXPIRED);
  expect(await codeOf(stack.submit({ ...request, input: { query: 'b' } }))).toBe(FailureCode.USAGE_EXPIRED);
  const poll = stack.client().getOperation({ caller, operationId: first.usage.id });
  expect(await codeOf(poll)).toBe(FailureCode.USAGE_EXPIRED);
  expect((await stack.db.query('select from result')).rowCount).toBe(0);
});
