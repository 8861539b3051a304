import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { afterEach, expect, test } from 'vitest';
import { gate, outcomeOf } from '../../test-support/expect.ts';
import { QUICK, Stack } from '../../test-support/stack.ts';

// Promise R6: the database's clock is set back by an hour, so that instants written just before lie
// an hour ahead.
const NEVER = { CES_OPERATIONS_SWEEP_INTERVAL_MS: '0', CES_OPERATIONS_WORKERS: '0' };
const request = { requestKey: 'k', input: { query: 'a' }, background: true };

let stack: Stack;

afterEach(async () => {
  await stack[Symbol.asyncDispose]();
});

async function setClockBack(): Promise<void> {
  await stack.db.query(
    `with set_back as (
       update operation set created_at = created_at + interval '1 hour', deadline_at = deadline_at + interval '1 hour'
     )
     update job set due_at = due_at + interval '1 hour', publish_at = publish_at + interval '1 hour',
       deadline_at = deadline_at + interval '1 hour'`,
  );
}

test('work under the lease of a process that is gone goes on', async () => {
  stack = await Stack.forTest({ ...QUICK, ...NEVER });
  stack.record.addCompanies(2);
  const { usage } = await stack.submit(request);
  await stack.db.query(
    `update job set owner = 'the dead', ready = false, fence = 2, attempts = 1, due_at = clock_timestamp() + interval '15 seconds'`,
  );
  await setClockBack();
  await stack.startService({ CES_OPERATIONS_SWEEP_INTERVAL_MS: '50', CES_OPERATIONS_WORKERS: '4' });
  await stack.untilStatus(usage.id, Status.DELIVERED);
  expect(stack.ledger.count(HoldState.POSTED)).toBe(1);
});

test('a live process keeps its lease', async () => {
  stack = await Stack.forTest({ ...QUICK, CES_OPERATIONS_LEASE_MS: '3000' });
  stack.record.addCompanies(2);
  const stalled = gate();
  stack.search.before = () => stalled.passed;
  const { usage } = await stack.submit(request);
  await expect.poll(() => stack.stateOf('k')).toBe('running');
  await setClockBack();
  const dueIn = async () => {
    const sql = 'select extract(epoch from due_at - clock_timestamp())::float8 as seconds, fence from job';
    return (await stack.db.query<{ seconds: number; fence: bigint }>(sql)).rows[0];
  };
  await expect.poll(async () => (await dueIn())?.seconds).toBeLessThan(4);
  expect(await dueIn()).toMatchObject({ fence: 2n });
  stalled.open();
  await stack.untilStatus(usage.id, Status.DELIVERED);
});

test('a pause before the next attempt or step is over', async () => {
  stack = await Stack.forTest(QUICK);
  stack.record.addCompanies(2);
  let isAway = true;
  stack.search.before = () => {
    if (isAway) throw fail(FailureCode.SERVICE_UNAVAILABLE, 'away');
  };
  const { usage } = await stack.submit(request);
  const outages = async () => (await stack.db.query<{ outages: number }>('select outages from job')).rows[0]?.outages;
  await expect.poll(outages).toBeGreaterThan(0);
  await setClockBack();
  isAway = false;
  await stack.untilStatus(usage.id, Status.DELIVERED);
});

test('a waiting operation fails at its deadline as usual', async () => {
  stack = await Stack.forTest({ ...QUICK, CES_OPERATIONS_PENDING_MS: '2000', CES_OPERATIONS_PROCESSING_MS: '2000' });
  stack.search.before = () => {
    throw fail(FailureCode.SERVICE_UNAVAILABLE, 'away');
  };
  const { usage } = await stack.submit(request);
  await setClockBack();
  const failed = await stack.untilStatus(usage.id, Status.FAILED);
  expect(outcomeOf(failed, 'failed').code).toBe(FailureCode.SEARCH_FAILED);
  expect(stack.ledger.count(HoldState.VOID)).toBe(1);
});
