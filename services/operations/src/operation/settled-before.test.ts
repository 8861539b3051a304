import { FailureCode } from '@ces/chassis/rpc/failure';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { Code, ConnectError } from '@connectrpc/connect';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { gate, outcomeOf } from '../../test-support/expect.ts';
import { QUICK, Stack } from '../../test-support/stack.ts';

// R32: operations was restored to a moment at which work was open that the ledger has settled
// since.

let stack: Stack;
let stalled: ReturnType<typeof gate>;

beforeEach(async () => {
  stack = await Stack.forTest(QUICK);
  stack.record.addCompanies(3);
  stalled = gate();
  stack.search.before = () => stalled.passed;
});
afterEach(async () => {
  stalled.open();
  await stack[Symbol.asyncDispose]();
});

async function startSettled(requestKey: string): Promise<bigint> {
  const { id } = (await stack.submit({ requestKey, input: { query: 'a' }, background: true })).usage;
  await expect.poll(() => stack.stateOf(requestKey)).toBe('running');
  stack.ledger.postings.set(id, { state: HoldState.POSTED, request: 1n, delivered: 3n });
  return id;
}

async function passDeadline(id: bigint): Promise<void> {
  for (const [table, key] of [
    ['operation', 'id'],
    ['job', 'operation_id'],
  ])
    await stack.db.query(`update ${table} set deadline_at = clock_timestamp() - interval '3 hours' where ${key} = $1`, [
      id,
    ]);
}

test('work that has since run out of time fails, and its settlement is reversed with a reason', async () => {
  const id = await startSettled('late');
  await passDeadline(id);
  const answer = await stack.untilStatus(id, Status.FAILED);
  expect(outcomeOf(answer, 'failed').code).toBe(FailureCode.USAGE_EXPIRED);
  expect(stack.ledger.postings.get(id)).toMatchObject({ state: HoldState.VOID, reversed: expect.any(String) });
  const retry = await stack.submit({ requestKey: 'late', input: { query: 'a' } });
  expect(retry).toMatchObject({ replayed: true, usage: { id, units: { requestUnits: 0n } } });
  expect(outcomeOf(retry, 'failed').code).toBe(FailureCode.USAGE_EXPIRED);
});

test('a merely accepted operation releases its request key and its settlement', async () => {
  const id = await startSettled('accepted');
  await stack.db.query(`update operation set state = 'created' where id = $1`, [id]);
  await stack.db.query(`update job set due_at = clock_timestamp(), fence = fence + 1 where operation_id = $1`, [id]);
  await expect.poll(() => stack.stateOf('accepted')).toBeUndefined();
  expect(stack.ledger.postings.get(id)).toMatchObject({ state: HoldState.VOID, reversed: expect.any(String) });
});

test('work whose hold the ledger has released since fails, although its result was computed', async () => {
  const id = await startSettled('released');
  stack.ledger.postings.set(id, { state: HoldState.VOID, request: 1n, delivered: 3n });
  stalled.open();
  await stack.untilStatus(id, Status.FAILED);
  expect(stack.ledger.postings.get(id)?.state).toBe(HoldState.VOID);
});

test('a stored operation that can have no hold again fails when all is reconciled', async () => {
  const id = await startSettled('unpaid');
  stack.ledger.postings.delete(id);
  stack.ledger.deliveredLimit = 0n;
  stack.ledger.before = (method) => {
    // Otherwise the worker would notice it itself.
    if (method === 'settle') throw new ConnectError('away', Code.Unavailable);
  };
  stalled.open();
  await expect.poll(() => stack.stateOf('unpaid')).toBe('stored');
  await stack.restores.afterRestore({ page: 'operations 0' });
  await stack.untilStatus(id, Status.FAILED);
});

test('reconciling continues after an operation that the ledger refuses, and names it', async () => {
  const ids = [await startSettled('a'), await startSettled('b'), await startSettled('c')] as const;
  stack.ledger.before = (_, operationId) => {
    if (operationId === ids[1]) throw new Error('a fault of this operation');
  };
  expect(await stack.admin.reconcileLedger({})).toMatchObject({ checked: 3, failed: [ids[1]] });
});
