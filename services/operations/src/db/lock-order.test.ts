import { setTimeout as pause } from 'node:timers/promises';
import { createPool, inTransaction, type Pool } from '@ces/chassis/postgres/pool';
import { FailureCode } from '@ces/chassis/rpc/failure';
import { createTestDatabase, showDatabaseOnFailure, type TestDatabase } from '@ces/test/support/database.ts';
import { volumeOf } from '@ces/test/support/volume.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newOperation } from '../../test-support/new-operation.ts';
import { logger } from '../../test-support/stack.ts';
import type { StoredResult } from '../model/result.ts';
import { claimAccepted } from './claim.ts';
import { insertCreated } from './operation.ts';
import { PLANNER_SETTINGS } from './pool.ts';
import { failUnpaid } from './reconciliation.ts';
import { writeOutput } from './result.ts';
import {
  deleteUndecided,
  failUnsettled,
  handOverToWorkers,
  markChargedAgain,
  markDelivered,
  markFailed,
  markFailing,
  markWithdrawing,
} from './transition.ts';

let database: TestDatabase;
let pool: Pool;
let other: Pool;
/** A connection of its own: pg_stat_activity is cached within a transaction. */
let looker: Pool;

beforeAll(async () => {
  database = await createTestDatabase('operations');
  const options = { connectionString: database.url, max: 1, logger };
  const asOfService = { prepare: true, settings: PLANNER_SETTINGS };
  pool = createPool({ ...options, ...asOfService, applicationName: 'operations' });
  other = createPool({ ...options, applicationName: 'other' });
  looker = createPool({ ...options, applicationName: 'looker' });
});
afterAll(async () => {
  await pool.end();
  await other.end();
  await looker.end();
  await database[Symbol.asyncDispose]();
});
beforeEach(() => showDatabaseOnFailure(database));

const LEASE = { owner: 'me', leaseMs: 60_000, pendingMs: 60_000, processingMs: 60_000, traceparent: undefined };
const RESULT: StoredResult = {
  items: [],
  details: { action: 'diagnostic' },
  settledCompanyIds: [],
  requestUnits: 1,
  freshEvidenceUnits: 0,
  asOf: new Date(),
  judgedAt: new Date(),
  nextCursor: undefined,
};
const FAILURE = { code: FailureCode.SEARCH_FAILED, message: 'no' };

type Change = (db: Pool, ids: readonly bigint[]) => Promise<unknown>;

const one =
  (change: (db: Pool, id: bigint) => Promise<unknown>): Change =>
  (db, [id = 0n]) =>
    change(db, id);

/**
 * Statements that change operations and jobs: start state, payment, statement, number of
 * operations.
 */
const CHANGES: Record<string, [state: string, payment: string, change: Change, operations?: number]> = {
  'handing over': ['held', 'hold', one((db, id) => handOverToWorkers(db, id, LEASE.owner, 0))],
  'beginning at once': ['held', 'hold', one((db, id) => claimAccepted(db, id, LEASE))],
  failing: ['running', 'hold', one((db, id) => markFailing(db, id, 1n, FAILURE))],
  'failing what cannot be paid': ['held', 'hold', one((db, id) => failUnpaid(db, id, FAILURE))],
  storing: ['running', 'hold', one((db, id) => writeOutput(db, id, 1n, { result: RESULT }))],
  withdrawing: ['created', 'hold', one((db, id) => markWithdrawing(db, id))],
  'keeping what was charged': ['withdrawing', 'charge', one((db, id) => markChargedAgain(db, id))],
  deleting: ['withdrawing', 'charge', one((db, id) => deleteUndecided(db, id))],
  delivering: ['stored', 'charge', (db, ids) => markDelivered(db, ids), 8],
  'failing what is not settled': ['stored', 'hold', one((db, id) => failUnsettled(db, id, FAILURE))],
  'ending as failed': ['failing', 'hold', one((db, id) => markFailed(db, id))],
};

/**
 * Enough rounds that the connection uses its generic plan, as a long-lived one does
 * (decision 0038).
 */
const ROUNDS = volumeOf(6, 15, 15);

test.each(Object.entries(CHANGES))(
  '%s waits for jobs, which change, without holding its operations',
  async (_, [state, payment, change, operations = 1]) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const ids: bigint[] = [];
      for (let made = 0; made < operations; made += 1) ids.push(await insertAt(state, payment));
      await inTransaction(other, async (client) => {
        await client.query('update job set tries = tries where operation_id = any ($1)', [ids]);
        const changed = change(pool, ids);
        changed.catch(() => undefined);
        await untilOneWaits();
        await client.query('select from operation where id = any ($1) for update nowait', [ids]);
        await client.query('commit');
        await changed;
      });
    }
  },
);

test('a run that stores while its operation is found unpaid keeps its job, by which it is settled', async () => {
  const id = await insertAt('running', 'hold');
  await inTransaction(other, async (client) => {
    await writeOutput(client, id, 1n, { result: RESULT });
    const failed = failUnpaid(pool, id, FAILURE);
    await untilOneWaits();
    await client.query('commit');
    await failed;
  });
  const { rows } = await pool.query(
    'select o.state, j.queue from operation o left join job j on j.operation_id = o.id where o.id = $1',
    [id],
  );
  expect(rows).toEqual([{ state: 'stored', queue: 'step' }]);
});

async function insertAt(state: string, payment: string): Promise<bigint> {
  const operation = await insertCreated(
    pool,
    newOperation({ payment: payment as 'hold' | 'charge', background: false }),
    LEASE,
  );
  if (!operation) throw new Error('the request key is taken');
  const comesTo = async (reached: string) =>
    await pool.query('update operation set state = $2, failure_code = $3 where id = $1', [
      ...[operation.id, reached, reached === 'failing' ? 'search_failed' : null],
    ]);
  await comesTo(state === 'stored' ? 'running' : state);
  if (state === 'stored') await writeOutput(pool, operation.id, 1n, { result: RESULT });
  return operation.id;
}

async function untilOneWaits(): Promise<void> {
  for (;;) {
    const { rowCount } = await looker.query(
      `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and wait_event_type = 'Lock'`,
    );
    if (rowCount) return;
    await pause(10);
  }
}
