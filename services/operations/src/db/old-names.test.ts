import { createPool, type Pool } from '@ces/chassis/postgres/pool';
import { createTestDatabase, showDatabaseOnFailure, type TestDatabase } from '@ces/test/support/database.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { logger } from '../../test-support/stack.ts';

// Code of the release before 0006_operation_state.sql names point, ring_at and rings alone; code since then state, publish_at and
// publications alone. Both write to one schema while a release is rolled out. These tests go when the old columns do.

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createTestDatabase('operations');
  pool = createPool({ connectionString: database.url, max: 2, applicationName: 'test', logger });
});
afterAll(async () => {
  await pool.end();
  await database[Symbol.asyncDispose]();
});
beforeEach(() => showDatabaseOnFailure(database));

let made = 0;

/** An operation with its job, by the statements of the old code or of the new. */
async function insert(state: 'point' | 'state', publishAt: 'ring_at' | 'publish_at'): Promise<bigint> {
  made += 1;
  const { rows } = await pool.query<{ id: bigint }>(
    `with o as (
       insert into operation (account_id, action, request_key, key_digest, fingerprint, normal_form_version, normal_form,
         subscription_id, credential_id, test_mode, payment, worst_case_units, ${state}, deadline_at)
       values (1, 'diagnostic', $1, sha256(convert_to($1, 'UTF8')), sha256(''), 1, '{}', 1, 1, false, 'hold', 1, 'created', now())
       returning id
     ), j as (
       insert into job (operation_id, fence, attempts, due_at, ${publishAt}) select id, 1, 0, now(), '2026-01-01Z' from o
     )
     select id from o`,
    [`key ${made}`],
  );
  return rows[0]?.id ?? 0n;
}

async function namesOf(id: bigint): Promise<unknown> {
  const { rows } = await pool.query(
    `select point, state, ring_at = publish_at as at_equals, rings, publications
     from operation join job on operation_id = id where id = $1`,
    [id],
  );
  return rows[0];
}

test.each([
  ['point', 'ring_at'],
  ['state', 'publish_at'],
] as const)('a row that is written with %s and %s has all names', async (state, publishAt) => {
  const id = await insert(state, publishAt);
  const equal = { at_equals: true, rings: 0, publications: 0 };
  expect(await namesOf(id)).toEqual({ point: 'created', state: 'created', ...equal });
});

test.each([
  ['point', 'state'],
  ['state', 'point'],
])('an operation taken further by %s is seen by %s, step by step', async (written, seen) => {
  const id = await insert('state', 'publish_at');
  for (const [from, to] of [
    ['created', 'held'],
    ['held', 'running'],
  ]) {
    const taken = await pool.query(`update operation set ${written} = $2 where id = $1 and ${seen} = $3`, [
      id,
      to,
      from,
    ]);
    expect(taken.rowCount).toBe(1);
  }
  expect(await namesOf(id)).toMatchObject({ point: 'running', state: 'running' });
});

test.each([
  ['ring_at', 'rings'],
  ['publish_at', 'publications'],
])('a job that is published with %s and %s is counted under both names', async (at, count) => {
  const id = await insert('state', 'publish_at');
  const publish = `update job set ${count} = ${count} + 1, ${at} = now() where operation_id = $1`;
  for (let time = 1; time <= 2; time += 1) {
    await pool.query(publish, [id]);
    expect(await namesOf(id)).toMatchObject({ at_equals: true, rings: time, publications: time });
  }
});

test('no row can hold two different states', async () => {
  const id = await insert('state', 'publish_at');
  const both = pool.query(`update operation set state = 'held', point = 'running' where id = $1`, [id]);
  expect((await both).rowCount).toBe(1);
  expect(await namesOf(id)).toMatchObject({ point: 'held', state: 'held' });
});
