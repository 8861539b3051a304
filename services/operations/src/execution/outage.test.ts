import { createPool } from '@ces/chassis/postgres/pool';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { Code, ConnectError } from '@connectrpc/connect';
import { afterEach, expect, inject, test } from 'vitest';
import { outcomeOf } from '../../test-support/expect.ts';
import { logger, QUICK, Stack } from '../../test-support/stack.ts';

// Promise R34: waiting for another service does not count as an attempt.
const ONE_ATTEMPT = { ...QUICK, CES_OPERATIONS_ATTEMPTS: '1' };
const request = { requestKey: 'k', input: { query: 'a' }, background: true };

let stack: Stack;

afterEach(async () => {
  await stack[Symbol.asyncDispose]();
});

async function loseConnections(): Promise<void> {
  const { rows } = await stack.db.query<{ name: string }>('select current_database() as name');
  const superuser = createPool({ connectionString: inject('postgresUrl'), max: 1, applicationName: 'test', logger });
  try {
    await superuser.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'operations' and datname = $1`,
      [rows[0]?.name],
    );
  } finally {
    await superuser.end();
  }
}

test('another service that is away is waited for, however often it is asked', async () => {
  stack = await Stack.forTest(ONE_ATTEMPT);
  stack.record.addCompanies(2);
  let faults = 3;
  stack.search.before = () => {
    if (faults-- > 0) throw fail(FailureCode.SERVICE_UNAVAILABLE, 'away');
  };
  const { usage } = await stack.submit(request);
  await stack.untilStatus(usage.id, Status.DELIVERED, 25_000);
  expect(stack.ledger.count(HoldState.POSTED)).toBe(1);
});

test('it is waited for until the deadline, and then the search has failed', async () => {
  stack = await Stack.forTest({ ...ONE_ATTEMPT, CES_OPERATIONS_PROCESSING_MS: '2000' });
  stack.search.before = () => {
    throw fail(FailureCode.SERVICE_UNAVAILABLE, 'away');
  };
  const { usage } = await stack.submit(request);
  const failed = await stack.untilStatus(usage.id, Status.FAILED, 25_000);
  expect(outcomeOf(failed, 'failed').code).toBe(FailureCode.SEARCH_FAILED);
  expect(stack.search.calls).toEqual([]);
  expect(stack.ledger.count(HoldState.VOID)).toBe(1);
});

test.each([
  ['takes too long over it', Code.DeadlineExceeded],
  ['finds it too much', Code.ResourceExhausted],
  ['has a bug', Code.Internal],
])('work fails by its own fault when a service that is there %s', async (_, code) => {
  stack = await Stack.forTest({ ...QUICK, CES_OPERATIONS_ATTEMPTS: '2' });
  let attempts = 0;
  stack.search.before = () => {
    attempts += 1;
    throw new ConnectError('no', code);
  };
  const { usage } = await stack.submit(request);
  const failed = await stack.untilStatus(usage.id, Status.FAILED, 25_000);
  expect(outcomeOf(failed, 'failed').code).toBe(FailureCode.SEARCH_FAILED);
  expect(attempts).toBe(2);
});

test('work that waits for its own database counts no attempt either', async () => {
  stack = await Stack.forTest(ONE_ATTEMPT);
  stack.record.addCompanies(2);
  let cuts = 2;
  stack.search.before = async (method) => {
    if (method !== 'search' || cuts-- <= 0) return;
    await loseConnections();
  };
  const { usage } = await stack.submit(request);
  await expect.poll(() => stack.stateOf('k')).toBe('delivered');
  expect((await stack.poll(usage.id)).usage.status).toBe(Status.DELIVERED);
});
