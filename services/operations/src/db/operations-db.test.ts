import { createPool, inTransaction, type Pool, violatedConstraint } from '@ces/chassis/postgres/pool';
import { FailureCode } from '@ces/chassis/rpc/failure';
import { createTestDatabase, showDatabaseOnFailure, type TestDatabase } from '@ces/test/support/database.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newOperation } from '../../test-support/new-operation.ts';
import { logger } from '../../test-support/stack.ts';
import { LeaseLost } from '../execution/lease.ts';
import { storeOutput } from '../execution/store.ts';
import type { ActionName } from '../input/form.ts';
import type { NewOperation, Operation } from '../model/operation.ts';
import type { StoredResult } from '../model/result.ts';
import { type ClaimOptions, claimAccepted, claimFairly } from './claim.ts';
import { enqueueDue, extendLease, makeDue, postpone } from './job.ts';
import { findByRequestKey, insertCreated, insertWithResult } from './operation.ts';
import { recordMessages, takeUnpublished } from './outbox.ts';
import { PLANNER_SETTINGS } from './pool.ts';
import { writeOutput } from './result.ts';
import { expireLate, failExhausted, takeSteps } from './steps.ts';
import {
  deleteUndecided,
  handOverToWorkers,
  markDelivered,
  markFailed,
  markFailing,
  markHeld,
  markWithdrawing,
} from './transition.ts';
import { countUnfinished, readOldestDue } from './unfinished.ts';

let database: TestDatabase;
let pool: Pool;
let owner: Pool;

beforeAll(async () => {
  database = await createTestDatabase('operations');
  const asServed = { prepare: true, pipeline: true, settings: PLANNER_SETTINGS };
  pool = createPool({ connectionString: database.url, max: 8, applicationName: 'test', logger, ...asServed });
  owner = createPool({ connectionString: database.ownerUrl, max: 2, applicationName: 'test', logger });
});
afterAll(async () => {
  await pool.end();
  await owner.end();
  await database[Symbol.asyncDispose]();
});
beforeEach(async () => {
  showDatabaseOnFailure(database);
  await owner.query('truncate operation, result, shortlist, plan, job, request_key');
});

const TRACEPARENT = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const LEASE = {
  owner: 'me',
  leaseMs: 60_000,
  pendingMs: 60_000,
  processingMs: 60_000,
  traceparent: TRACEPARENT,
};
const KEPT_MS = 3_600_000;
const FAILURE = { code: FailureCode.SEARCH_FAILED, message: 'no' };
const LATE = { late: { code: FailureCode.USAGE_EXPIRED, message: 'late' }, afterOutage: FAILURE };
const ANY = { after: 0n, running: new Map<bigint, number>(), accountBound: 100 };
const MAX_ATTEMPTS = 5;
const AT_ONCE = { afterMs: 0, queue: 'run', cause: 'fault' } as const;

const RESULT: StoredResult = {
  items: [{ company_id: 7, observation_ids: [70, 71] }],
  details: { action: 'observation_search' },
  settledCompanyIds: [7n],
  requestUnits: 1,
  freshEvidenceUnits: 0,
  asOf: new Date('2026-11-01T00:00:00.123Z'),
  judgedAt: new Date('2026-11-01T00:00:00.456Z'),
  nextCursor: undefined,
};

async function accept(changes: Partial<NewOperation> = {}) {
  const operation = await insertCreated(pool, newOperation(changes), LEASE);
  if (!operation) throw new Error('the request key is taken');
  return operation;
}

async function acceptDue(): Promise<bigint> {
  const { id } = await accept();
  await handOverToWorkers(pool, id, 'me', 0);
  return id;
}

async function claimDue(
  count: number,
  options: ClaimOptions,
  queue: 'run' | 'quarantine' | 'sources' = 'run',
  maxAttempts = MAX_ATTEMPTS,
) {
  await enqueueDue(pool, maxAttempts, 100);
  return (await claimFairly(pool, { ...ANY, queue, count }, maxAttempts, options)).claims;
}

async function takeDue() {
  await enqueueDue(pool, MAX_ATTEMPTS, 100);
  return (await takeSteps(pool, { ...ANY, count: 100 })).operations;
}

async function find(accountId: bigint, action: ActionName, requestKey: string): Promise<Operation | undefined> {
  const { owner } = await findByRequestKey(pool, accountId, action, requestKey, KEPT_MS);
  return owner.kind === 'operation' ? owner.operation : undefined;
}

async function stateOf(id: bigint): Promise<unknown> {
  return (await pool.query('select state from operation where id = $1', [id])).rows[0]?.state;
}

test('if two calls accept one request key, one wins; the other waits for its end and then finds it', async () => {
  const operation = newOperation();
  const second = await inTransaction(pool, async (client) => {
    expect(await insertCreated(client, operation, LEASE)).toMatchObject({ state: 'created' });
    return { insert: insertCreated(pool, operation, LEASE) };
  });
  expect(await second.insert).toBeUndefined();
  expect(await find(1n, 'company_search', operation.requestKey)).toMatchObject(operation);
});

test('an acceptance whose rival was refused meanwhile takes the request key', async () => {
  const operation = newOperation();
  const first = await accept(operation);
  const second = await inTransaction(pool, async (client) => {
    await deleteUndecided(client, first.id);
    return { insert: insertCreated(pool, operation, LEASE) };
  });
  // If its snapshot is older than the rival's end, it still sees the key as taken, and the caller
  // retries.
  const taken = (await second.insert) ?? (await insertCreated(pool, operation, LEASE));
  expect(taken?.id).toBeGreaterThan(first.id);
});

test('keys of 1024 characters of any script are kept apart', async () => {
  const key = (last: string) => Array.from({ length: 1023 }, () => '😀').join('') + last;
  const first = await accept({ requestKey: key('a') });
  await accept({ requestKey: key('b') });
  expect((await find(1n, 'company_search', key('a')))?.id).toBe(first.id);
  expect(await find(1n, 'observation_search', key('a'))).toBeUndefined();
  expect(await find(2n, 'company_search', key('a'))).toBeUndefined();
});

test('unfinished operations are counted by state, with the age of the oldest', async () => {
  const before = new Map((await countUnfinished(pool)).map(({ state, count }) => [state, count]));
  const { id } = await accept();
  await accept();
  await markHeld(pool, id);
  await pool.query('update job set due_at = clock_timestamp() - interval $$1 minute$$ where operation_id = $1', [id]);
  const after = new Map((await countUnfinished(pool)).map((one) => [one.state, one]));
  expect(after.get('created')?.count).toBe((before.get('created') ?? 0) + 1);
  expect(after.get('held')?.count).toBe((before.get('held') ?? 0) + 1);
  expect(after.get('held')?.oldestSeconds).toBeGreaterThan(0);
  expect(await readOldestDue(pool)).toBeGreaterThanOrEqual(60);
});

test('a result is read as it was stored', async () => {
  const stored = await insertWithResult(pool, newOperation({ payment: 'charge' }), RESULT, 'stored', 0);
  expect(stored).toMatchObject({ state: 'stored', result: RESULT, finishedAt: undefined });
  expect(await markDelivered(pool, [stored?.id ?? 0n, 999n])).toEqual([
    { id: stored?.id, action: 'company_search', payment: 'charge', seconds: expect.any(Number) },
  ]);
  expect(await find(1n, 'company_search', stored?.requestKey ?? '')).toMatchObject({
    state: 'delivered',
    units: { request: 1, delivered: 1, fresh: 0 },
    result: RESULT,
  });
  expect(await markDelivered(pool, [stored?.id ?? 0n])).toEqual([]);
});

test('an operation written with its result is accepted, stored and delivered at one moment', async () => {
  const stored = await insertWithResult(pool, newOperation({ payment: 'none' }), RESULT, 'delivered', 0);
  const { rows } = await pool.query(
    'select created_at = stored_at and created_at = finished_at as is_one_moment from operation where id = $1',
    [stored?.id],
  );
  expect(rows).toEqual([{ is_one_moment: true }]);
});

test('no operation ends before it was accepted, also by a clock that was set back', async () => {
  const charged = await insertWithResult(pool, newOperation({ payment: 'charge' }), RESULT, 'stored', 0);
  const failing = await accept();
  const ids = [charged?.id ?? 0n, failing.id];
  await owner.query(`update operation set created_at = created_at + interval '1 hour' where id = any ($1)`, [ids]);
  await owner.query(
    `update operation set state = 'failing', failure_code = 'operation_expired', failure_message = 'Late.' where id = $1`,
    [failing.id],
  );
  const ended = [...(await markDelivered(pool, [ids[0] ?? 0n])), await markFailed(pool, failing.id)];
  expect(ended).toMatchObject(ids.map((id) => ({ id, seconds: 0 })));
});

test('a job is claimed once, whichever process asks, and again only after its lease has ended', async () => {
  const ids = await Promise.all(Array.from({ length: 6 }, acceptDue));
  const claims = await Promise.all(
    Array.from({ length: 6 }, (_, worker) => claimDue(2, { ...LEASE, owner: `w${worker}` })),
  );
  expect(
    claims
      .flat()
      .map((claim) => claim.operation.id)
      .sort(),
  ).toEqual(ids.sort());
  expect(claims.flat().every((claim) => claim.fence === 2n && claim.attempts === 1)).toBe(true);
  expect(await claimDue(9, LEASE)).toEqual([]);
  await owner.query('update job set due_at = clock_timestamp()');
  expect(await claimDue(9, LEASE), 'quarantined jobs are claimed apart, and first').toEqual([]);
  const again = await claimDue(9, LEASE, 'quarantine');
  expect(again.map((claim) => [claim.fence, claim.attempts])).toEqual(ids.map(() => [3n, 2]));
  await owner.query('update job set due_at = clock_timestamp()');
  expect(await claimDue(9, LEASE, 'quarantine', 2)).toEqual([]);
});

test('nothing is claimed before the ledger has admitted it, nor after its deadline', async () => {
  const { id } = await accept();
  await owner.query('update job set due_at = clock_timestamp()');
  expect(await claimDue(1, LEASE)).toEqual([]);
  await markHeld(pool, id);
  await owner.query('update operation set deadline_at = clock_timestamp()');
  expect(await claimDue(1, LEASE)).toEqual([]);
});

test('the accepting process claims only while its first lease is the newest, and a repeated claim changes nothing', async () => {
  const first = await accept();
  expect(await claimAccepted(pool, first.id, { ...LEASE, owner: 'another' })).toBe(false);
  expect(await claimAccepted(pool, first.id, LEASE)).toBe(true);
  const claimed = async () => (await owner.query('select state, deadline_at, started_at from operation')).rows;
  const once = await claimed();
  expect(once).toMatchObject([{ state: 'running' }]);
  expect(await claimAccepted(pool, first.id, LEASE)).toBe(true);
  expect(await claimed()).toEqual(once);
  expect(await postpone(pool, first.id, 1n, AT_ONCE)).toBe(true);
  expect(await claimAccepted(pool, first.id, LEASE), 'given back').toBe(false);
  const second = await accept();
  await markHeld(pool, second.id);
  await owner.query('update job set due_at = clock_timestamp() where operation_id = $1', [second.id]);
  await claimDue(9, { ...LEASE, owner: 'another' });
  expect(await claimAccepted(pool, second.id, LEASE)).toBe(false);
});

test.each(['created', 'held', 'running'])(
  'an operation that runs under its acceptance is stored once, from %s',
  async (state) => {
    const { id } = await accept();
    if (state === 'held') await markHeld(pool, id);
    if (state === 'running') await claimAccepted(pool, id, LEASE);
    expect(await writeOutput(pool, id, 1n, { result: RESULT })).toBe(true);
    expect(await stateOf(id)).toBe('stored');
    expect(await claimAccepted(pool, id, LEASE), 'a claim that comes late').toBe(false);
    expect(await writeOutput(pool, id, 1n, { result: RESULT })).toBe(false);
    expect(await markWithdrawing(pool, id)).toBe(false);
  },
);

test('if storing under an acceptance and withdrawing it race, one of them takes effect completely', async () => {
  for (let round = 0; round < 20; round += 1) {
    const { id } = await accept();
    const [stored, withdrawn] = await Promise.all([
      writeOutput(pool, id, 1n, { result: RESULT }),
      markWithdrawing(pool, id),
    ]);
    expect([stored, withdrawn]).toEqual((await stateOf(id)) === 'stored' ? [true, false] : [false, true]);
    expect((await owner.query('select from result where operation_id = $1', [id])).rowCount).toBe(stored ? 1 : 0);
  }
});

test('an operation that waits for a worker is not stored by the process that accepted it, and has no earlier attempt', async () => {
  const operation = await insertCreated(pool, newOperation(), { ...LEASE, runsHere: true });
  const id = operation?.id ?? 0n;
  const attempts = async () =>
    (await owner.query<{ attempts: number }>('select attempts from job where operation_id = $1', [id])).rows[0];
  expect(await attempts()).toEqual({ attempts: 1 });
  expect(await handOverToWorkers(pool, id, LEASE.owner, 0)).toBe(true);
  expect(await attempts()).toEqual({ attempts: 0 });
  const [claim] = await claimDue(1, { ...LEASE, owner: 'another' });
  expect(claim).toMatchObject({ fence: 2n, attempts: 1 });
  expect(await writeOutput(pool, id, 1n, { result: RESULT })).toBe(false);
});

test('an operation that a dead process had begun under its acceptance runs in quarantine as a second attempt', async () => {
  const operation = await insertCreated(pool, newOperation(), { ...LEASE, runsHere: true });
  await markHeld(pool, operation?.id ?? 0n);
  await owner.query('update job set due_at = clock_timestamp()');
  expect(await claimDue(1, { ...LEASE, owner: 'another' })).toEqual([]);
  const [claim] = await claimDue(1, { ...LEASE, owner: 'another' }, 'quarantine');
  expect(claim).toMatchObject({ fence: 2n, attempts: 2 });
});

test('every write of a claim that is no longer the newest is refused', async () => {
  const id = await acceptDue();
  const [old] = await claimDue(1, LEASE);
  await owner.query('update job set due_at = clock_timestamp()');
  const [newest] = await claimDue(1, { ...LEASE, owner: 'another' }, 'quarantine');
  const fence = old?.fence ?? 0n;
  expect(await extendLease(pool, id, fence, 1000)).toBe(false);
  expect(await postpone(pool, id, fence, AT_ONCE)).toBe(false);
  expect(await markFailing(pool, id, fence, FAILURE)).toBeUndefined();
  expect(await writeOutput(pool, id, fence, { result: RESULT })).toBe(false);
  expect(await extendLease(pool, id, newest?.fence ?? 0n, 1000)).toBe(true);
  expect(await stateOf(id)).toBe('running');
});

test('if storing and expiring race, one of them takes effect completely', async () => {
  for (let round = 0; round < 20; round += 1) {
    const id = await acceptDue();
    const [claim] = await claimDue(1, LEASE);
    await owner.query('update operation set deadline_at = clock_timestamp() where id = $1', [id]);
    await owner.query('update job set deadline_at = clock_timestamp() where operation_id = $1', [id]);
    const store = writeOutput(pool, id, claim?.fence ?? 0n, { result: RESULT });
    const [stored, expired] = await Promise.all([store, expireLate(pool, LATE, 10)]);
    expect([stored, expired]).toEqual((await stateOf(id)) === 'stored' ? [true, 0] : [false, 1]);
    if (expired) expect(await stateOf(id)).toBe('failing');
    await owner.query('truncate operation, result, shortlist, plan, job, request_key');
  }
});

test('an exhausted operation fails only once its last lease has ended', async () => {
  const id = await acceptDue();
  await claimDue(1, LEASE, 'run', 1);
  expect(await failExhausted(pool, [id], 1, FAILURE)).toBe(0);
  await owner.query('update job set due_at = clock_timestamp()');
  await enqueueDue(pool, 1, 10);
  expect(await failExhausted(pool, [id], 2, FAILURE)).toBe(0);
  expect(await failExhausted(pool, [id], 1, FAILURE)).toBe(1);
  expect(await stateOf(id)).toBe('failing');
  expect([await markFailed(pool, id), await markFailed(pool, id)]).toEqual([
    expect.objectContaining({ id }),
    undefined,
  ]);
});

test('an operation that waited for another service until its deadline fails as a search, an unclaimed one as expired', async () => {
  const [waited, unclaimed] = [await acceptDue(), await acceptDue()];
  const [claim] = await claimDue(1, LEASE);
  await postpone(pool, waited, claim?.fence ?? 0n, { afterMs: 60_000, queue: 'run', cause: 'outage' });
  await owner.query('update operation set deadline_at = clock_timestamp()');
  await owner.query('update job set deadline_at = clock_timestamp()');
  expect(await expireLate(pool, LATE, 10)).toBe(2);
  const { rows } = await pool.query('select failure_code from operation where id = any ($1) order by id', [
    [waited, unclaimed],
  ]);
  expect(rows).toEqual([{ failure_code: 'search_failed' }, { failure_code: 'usage_expired' }]);
});

test('an operation that was never claimed has expired when the sweeper takes it at its deadline', async () => {
  const id = await acceptDue();
  await owner.query('update operation set deadline_at = clock_timestamp()');
  await owner.query(`update job set ready = false, queue = 'run'`);
  expect((await takeDue()).map((operation) => operation.id)).toEqual([id]);
  expect(await expireLate(pool, LATE, 10)).toBe(1);
  const { rows } = await pool.query('select failure_code from operation where id = $1', [id]);
  expect(rows).toEqual([{ failure_code: 'usage_expired' }]);
});

test('an attempt that another service ended does not count, and one that failed by itself does', async () => {
  const id = await acceptDue();
  const attempts = async (cause: 'fault' | 'outage' | 'stop') => {
    const [claim] = await claimDue(1, LEASE);
    await postpone(pool, id, claim?.fence ?? 0n, { ...AT_ONCE, cause });
    return claim && [claim.attempts, claim.outages];
  };
  expect(await attempts('outage')).toEqual([1, 0]);
  expect(await attempts('outage')).toEqual([1, 1]);
  expect(await attempts('stop')).toEqual([1, 2]);
  expect(await attempts('fault')).toEqual([1, 2]);
  expect(await attempts('fault')).toEqual([2, 0]);
});

test('only unended operations have a job', async () => {
  const withJob = async () =>
    (await owner.query('select o.state from operation o join job j on j.operation_id = o.id order by o.id')).rows.map(
      ({ state }) => state,
    );
  const { id } = await accept();
  expect(await withJob()).toEqual(['created']);
  await markWithdrawing(pool, id);
  expect(await withJob()).toEqual(['withdrawing']);
  await deleteUndecided(pool, id);
  expect(await withJob()).toEqual([]);
  const ended = await accept();
  await owner.query(`update operation set state = 'delivered', finished_at = now() where id = $1`, [ended.id]);
  await owner.query('update job set due_at = clock_timestamp()');
  expect(await takeDue()).toEqual([]);
  expect(await withJob()).toEqual([]);
  const charged = await insertWithResult(pool, newOperation({ payment: 'charge' }), RESULT, 'stored', 0);
  expect((await takeDue()).map((operation) => operation.id)).toEqual([charged?.id]);
  expect(await takeDue(), 'the next time only after a pause').toEqual([]);
  await markDelivered(pool, [charged?.id ?? 0n]);
  expect(await withJob()).toEqual([]);
});

test('only operations that no caller can have seen are deleted when the ledger refuses', async () => {
  const held = await accept();
  await markHeld(pool, held.id);
  const charged = await insertWithResult(pool, newOperation({ payment: 'charge' }), RESULT, 'stored', 0);
  await markDelivered(pool, [charged?.id ?? 0n]);
  for (const id of [held.id, charged?.id ?? 0n]) {
    await deleteUndecided(pool, id);
    expect(await stateOf(id)).toBeDefined();
  }
});

test('a job is published when it is due, once a while, and never under a lease', async () => {
  const id = await acceptDue();
  expect(await takeUnpublished(pool, 9, 60_000)).toEqual([
    { operationId: id, accountId: 1n, publications: 1, traceparent: TRACEPARENT, message: undefined },
  ]);
  expect(await takeUnpublished(pool, 9, 60_000)).toEqual([]);
  expect(await recordMessages(pool, [{ operationId: id, message: 7 }])).toEqual(new Set());
  expect(await makeDue(pool, id)).toBe(true);
  expect(await takeUnpublished(pool, 9, 60_000)).toEqual([
    { operationId: id, accountId: 1n, publications: 2, traceparent: TRACEPARENT, message: 7 },
  ]);
  const { rows } = await pool.query(
    'select extract(epoch from publish_at - clock_timestamp())::float8 as pause from job',
  );
  expect(rows[0].pause).toBeGreaterThan(60);
  expect(rows[0].pause).toBeLessThanOrEqual(120);
  await claimDue(1, LEASE);
  expect(await recordMessages(pool, [{ operationId: id, message: 8 }]), 'claimed meanwhile').toEqual(new Set([id]));
  expect(await makeDue(pool, id)).toBe(false);
  expect(await takeUnpublished(pool, 9, 60_000)).toEqual([]);
});

test('jobs are published in the order of their due times, whichever could have been claimed first', async () => {
  const [older, newer] = [await acceptDue(), await acceptDue()];
  await owner.query(
    "update job set due_at = now() - interval '9 s', publish_at = now() - interval '1 s' where operation_id = $1",
    [older],
  );
  await owner.query(
    "update job set due_at = now() - interval '5 s', publish_at = now() - interval '5 s' where operation_id = $1",
    [newer],
  );
  await enqueueDue(pool, MAX_ATTEMPTS, 10);
  const first = await takeUnpublished(pool, 1, 60_000);
  const second = await takeUnpublished(pool, 1, 60_000);
  expect([...first, ...second].map(({ operationId }) => operationId)).toEqual([newer, older]);
});

test.each([
  ['request_key_pkey', `insert into request_key select * from request_key`],
  ['operation_action_known', `update operation set action = 'other'`],
  ['operation_state_known', `update operation set state = 'lost'`],
  ['operation_payment_known', `update operation set payment = 'gift'`],
  ['operation_failure_stored', `update operation set failure_code = 'search_failed'`],
  ['operation_units_delivered', `update operation set delivered_units = 1`],
  ['operation_end_dated', `update operation set finished_at = now()`],
  ['operation_fingerprint_length', `update operation set fingerprint = '\\x00'`],
])('the constraint %s holds against its owner', async (constraint, statement) => {
  await accept();
  const violated = await owner.query(statement).then(() => 'nothing', violatedConstraint);
  expect(violated).toBe(constraint);
});

test.each([
  `update result set items = '[]'`,
  `update shortlist set items = '[]'`,
  `update plan set plan = '{}'`,
  `update operation set request_key = 'x'`,
  `update operation set fingerprint = '\\x00'`,
  `update operation set account_id = 2`,
  `delete from audit`,
])('the service itself may not %s', async (statement) => {
  await expect(pool.query(statement)).rejects.toMatchObject({ code: '42501' });
});

test('a run whose lease has ended stores nothing, neither before its successor has stored nor after', async () => {
  const id = await acceptDue();
  const [first] = await claimDue(1, LEASE);
  await owner.query("update job set due_at = clock_timestamp() - interval '1 second' where operation_id = $1", [id]);
  const [second] = await claimDue(1, LEASE, 'quarantine');
  if (!first || !second) throw new Error('there was nothing to claim');
  const stored = { pool, atCrashPoint: () => undefined };
  const late = { result: { ...RESULT, items: [] }, hydrated: [] };
  await expect(storeOutput(stored, first, late)).rejects.toBeInstanceOf(LeaseLost);
  expect(await stateOf(id)).toBe('running');
  expect((await storeOutput(stored, second, { result: RESULT, hydrated: [] })).state).toBe('stored');
  await expect(storeOutput(stored, first, late)).rejects.toBeInstanceOf(LeaseLost);
  expect(await stateOf(id)).toBe('stored');
  const { rows } = await pool.query('select items from result where operation_id = $1', [id]);
  expect(rows).toEqual([{ items: RESULT.items }]);
});
