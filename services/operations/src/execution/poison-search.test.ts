import { FailureCode } from '@ces/chassis/rpc/failure';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { CRASHING_MAIN, startServiceProcess } from '@ces/test/support/service-process.ts';
import { afterEach, expect, test } from 'vitest';
import { outcomeOf } from '../../test-support/expect.ts';
import { QUICK, Stack } from '../../test-support/stack.ts';

// Promise R10: work that crashes its process while a caller waits, who then retries.

const request = { requestKey: 'k', input: { query: 'a' } };
/**
 * Leases end only when a test ends them. Without workers, the process runs only what it accepted
 * itself.
 */
const WITHOUT_WORKERS = {
  ...QUICK,
  CES_OPERATIONS_LEASE_MS: '60000',
  CES_OPERATIONS_HEARTBEAT_MS: '25000',
  CES_OPERATIONS_WORKERS: '0',
};

let stack: Stack;

afterEach(async () => {
  await stack[Symbol.asyncDispose]();
});

async function startStack(): Promise<void> {
  stack = await Stack.forTest(WITHOUT_WORKERS);
  stack.record.addCompanies(3);
}

/**
 * Calls a process that crashes at `point`. Returns once its lease has ended and the sweeper has
 * processed its operation.
 */
async function callDoomed(point: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const ends = { ...stack.env, CES_CRASH_AT: point, ...env };
  try {
    await using doomed = await startServiceProcess('operations', ends, CRASHING_MAIN);
    await expect(stack.submit(request, doomed)).rejects.toThrow();
    expect(await doomed.ended).toBe('SIGKILL');
  } catch (error) {
    // Its worker took the job before it was ready.
    if (!/ended with SIGKILL before it was ready/.test(String(error))) throw error;
  }
  await stack.db.query('update job set due_at = clock_timestamp() where owner is not null');
  await expect.poll(countUnseen).toBe(0);
}

async function countUnseen(): Promise<number | null> {
  const { rowCount } = await stack.db.query(
    `select from operation o left join job j on j.operation_id = o.id
     where o.state not in ('delivered', 'failed') and not (o.state in ('held', 'running') and j.ready and j.queue <> 'step')`,
  );
  return rowCount;
}

function holds() {
  return [HoldState.HELD, HoldState.POSTED].map((state) => stack.ledger.count(state));
}

test('a search that ends the process of each attempt has five, however often its caller tries again, and fails uncharged', async () => {
  await startStack();
  let ended = 0;
  for (; ended < 8 && (await stack.stateOf('k')) !== 'failed'; ended += 1)
    await callDoomed('run.searched', { CES_OPERATIONS_WORKERS: '1' });
  expect(ended).toBe(5);
  const answer = await stack.submit(request);
  expect(answer).toMatchObject({ replayed: true, usage: { status: Status.FAILED } });
  expect(outcomeOf(answer, 'failed').code).toBe(FailureCode.SEARCH_FAILED);
  expect(stack.search.calls).toHaveLength(5);
  expect(holds()).toEqual([0, 0]);
});

test('a search that may have crashed its process is quarantined for the next caller, with that attempt counted', async () => {
  await startStack();
  await callDoomed('run.searched');
  expect(await stack.countOperations()).toBe(0);
  const told = await stack.submit({ ...request, waitMs: 1 });
  expect(told).toMatchObject({ replayed: false, outcome: { case: 'pending' } });
  expect((await stack.db.query('select queue, attempts from job')).rows).toEqual([
    { queue: 'quarantine', attempts: 1 },
  ]);
  expect(await stack.submit({ ...request, requestKey: 'other' })).toMatchObject({
    usage: { status: Status.DELIVERED },
  });
  await stack.startService({ CES_OPERATIONS_WORKERS: '1' });
  const { usage } = await stack.untilStatus(told.usage.id, Status.DELIVERED);
  expect(usage.units).toMatchObject({ deliveredUnits: 3n });
  expect(holds()).toEqual([0, 2]);
});

test('a search that was rejected by a process which lived on is run for the next caller', async () => {
  await startStack();
  stack.ledger.before = (method) => {
    if (method === 'reserve') throw new Error('a bug');
  };
  await expect(stack.submit(request)).rejects.toThrow();
  stack.ledger.before = () => undefined;
  await expect.poll(() => stack.countOperations()).toBe(0);
  expect((await stack.db.query('select from lost_attempt')).rowCount).toBe(0);
  expect(await stack.submit(request)).toMatchObject({ replayed: false, usage: { status: Status.DELIVERED } });
});
