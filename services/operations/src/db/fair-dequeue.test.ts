import { createPool, type Pool, type Queryable } from '@ces/chassis/postgres/pool';
import { createTestDatabase, showDatabaseOnFailure, type TestDatabase } from '@ces/test/support/database.ts';
import { pagesOf } from '@ces/test/support/pages-of.ts';
import { VOLUME_TIMEOUT_MS, volumeOf } from '@ces/test/support/volume.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { logger } from '../../test-support/stack.ts';
import { claimFairly } from './claim.ts';
import { clampFutureInstants } from './clock-set-back.ts';
import { enqueueDue } from './job.ts';
import { openPool } from './pool.ts';
import { readQueueState } from './queue-state.ts';
import { takeSteps } from './steps.ts';

let database: TestDatabase;
let pool: Pool;
let owner: Pool;

beforeAll(async () => {
  database = await createTestDatabase('operations');
  // One connection, so that its plans are made while the table is empty.
  pool = openPool({ databaseUrl: database.url, databasePool: 1 }, logger);
  owner = createPool({
    ...{ connectionString: database.ownerUrl, max: 1, applicationName: 'test', logger, statementTimeoutMs: 120_000 },
  });
});
afterAll(async () => {
  await pool.end();
  await owner.end();
  await database[Symbol.asyncDispose]();
});
beforeEach(async () => {
  showDatabaseOnFailure(database);
  await owner.query('truncate operation, job, request_key cascade');
});

const LEASE = { owner: 'me', leaseMs: 60_000, processingMs: 60_000 };
const NONE = new Map<bigint, number>();
const MANY = volumeOf(6_000, 100_000, 20_000);
/** Small: a long transaction would delay every reader of the change feed on this server. */
const INSERTED_AT_ONCE = 2_000;

async function insertWaiting(count: number, accounts: number, state: 'held' | 'failing' = 'held'): Promise<void> {
  for (let from = 1; from <= count; from += INSERTED_AT_ONCE)
    await owner.query(
      `with inserted as (
         insert into operation (account_id, action, request_key, fingerprint, normal_form_version, normal_form,
           subscription_id, credential_id, test_mode, payment, worst_case_units, background, state, deadline_at, failure_code)
         select 1 + n % $3::int, 'company_search', n::text, sha256(''), 1, '{"query": "a"}', 1, 1, false,
           'hold', 1, true, $4::text, clock_timestamp() + interval '1 hour', case when $4::text = 'failing' then 'search_failed' end
         from generate_series($1::int, $2::int) as n
         returning id, account_id, created_at, state, deadline_at
       )
       insert into job (operation_id, account_id, fence, attempts, due_at, publish_at, queue, ready, deadline_at)
       select id, account_id, 1, 0, created_at, 'infinity', case state when 'held' then 'run' else 'step' end, true, deadline_at
       from inserted`,
      [from, Math.min(from + INSERTED_AT_ONCE - 1, count), accounts, state],
    );
}

const claimOne = (db: Queryable) =>
  claimFairly(db, { queue: 'run', count: 1, after: 1n, running: NONE, accountBound: 8 }, 5, LEASE);
const claimEight = (db: Queryable) =>
  claimFairly(db, { queue: 'run', count: 8, after: 1n, running: new Map([[1n, 8]]), accountBound: 8 }, 5, LEASE);
const takeEight = (db: Queryable) => takeSteps(db, { count: 8, after: 1n, running: NONE, accountBound: 8 });
const lookForDue = (db: Queryable) => enqueueDue(db, 5, 500);
const FARTHEST = { leaseMs: 15_000, pauseMs: 60_000, publicationMs: 960_000, deadlineMs: 3_600_000 };
const lookTooFarAhead = (db: Queryable) => clampFutureInstants(db, FARTHEST, 500);

test.each([
  ['one job of one account', claimOne, 1, 'held'],
  ['one job of many accounts', claimOne, 5_000, 'held'],
  ['eight jobs beside an account at its bound', claimEight, 9, 'held'],
  ['eight steps of two accounts', takeEight, 2, 'failing'],
  ['a look at what waits', readQueueState, 3, 'held'],
  ['what is due', lookForDue, 3, 'held'],
  ['what lies too far ahead', lookTooFarAhead, 3, 'held'],
] as const)(
  `taking %s reads as many pages at ${MANY} waiting as at 100`,
  { timeout: VOLUME_TIMEOUT_MS },
  async (what, take, accounts, state) => {
    // Postgres chooses the generic plan after five executions.
    for (let times = 0; times < 6; times += 1) await take(pool);
    await insertWaiting(100, accounts, state);
    await pagesOf(pool, take);
    const few = await pagesOf(pool, take);
    await owner.query('truncate operation, job, request_key cascade');
    await insertWaiting(MANY, accounts, state);
    // Like autovacuum: new statistics replan the statements for the current rows.
    await owner.query('analyze operation');
    await owner.query('analyze job');
    await pagesOf(pool, take);
    const many = await pagesOf(pool, take);
    console.log(`${what}: ${few} pages at 100 waiting, ${many} at ${MANY}`);
    expect(many).toBeLessThan(2 * few + 100);
  },
);

test('accounts take turns, each up to its bound, and an only account uses its full share', async () => {
  await insertWaiting(60, 3);
  const claim = async (after: bigint, count: number, running = NONE, accountBound = 100) => {
    const dequeue = { queue: 'run', count, after, running, accountBound } as const;
    const { claims, lastAccount } = await claimFairly(pool, dequeue, 5, LEASE);
    return { of: claims.map(({ operation }) => Number(operation.accountId)).sort(), lastAccount };
  };
  expect(await claim(0n, 1)).toEqual({ of: [1], lastAccount: 1n });
  expect(await claim(1n, 1)).toEqual({ of: [2], lastAccount: 2n });
  expect(await claim(3n, 2)).toEqual({ of: [1, 2], lastAccount: 2n });
  expect((await claim(0n, 7)).of).toEqual([1, 1, 1, 2, 2, 2, 3]);
  expect((await claim(0n, 4, new Map([[1n, 3]]), 3)).of).toEqual([2, 2, 3, 3]);
  await owner.query('delete from operation where account_id <> 2');
  expect((await claim(2n, 4, new Map([[2n, 1]]), 3)).of).toEqual([2, 2]);
  expect(await claim(2n, 4, new Map([[2n, 3]]), 3)).toEqual({ of: [], lastAccount: undefined });
});
