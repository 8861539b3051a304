import { createPool, inTransaction, type Pool } from '@ces/chassis/postgres/pool';
import { createTestDatabase, showDatabaseOnFailure, type TestDatabase } from '@ces/test/support/database.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newOperation } from '../../test-support/new-operation.ts';
import { logger } from '../../test-support/stack.ts';
import type { ActionName } from '../input/form.ts';
import type { NewOperation, OperationState } from '../model/operation.ts';
import {
  findRequestKeys,
  type ListFilter,
  type ListPosition,
  listOperations,
  MOST_EXAMINED,
} from './listed-operation.ts';
import { insertCreated } from './operation.ts';
import { PLANNER_SETTINGS } from './pool.ts';

let database: TestDatabase;
let pool: Pool;
let owner: Pool;

beforeAll(async () => {
  database = await createTestDatabase('operations');
  const asServed = { prepare: true, pipeline: true, settings: PLANNER_SETTINGS };
  pool = createPool({ connectionString: database.url, max: 4, applicationName: 'test', logger, ...asServed });
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

const ACTIONS: readonly ActionName[] = [
  ...(['company_search', 'observation_search', 'company_lookup', 'observation_lookup', 'diagnostic'] as const),
];
const STATES: readonly OperationState[] = ['held', 'running', 'stored', 'delivered', 'failing', 'failed'];
const ALL: ListFilter = {
  accountId: 1n,
  actions: ACTIONS,
  states: STATES,
  since: '2020-01-01T00:00:00Z',
  until: undefined,
};
const LEASE = { owner: 'me', leaseMs: 60_000, pendingMs: 60_000 };

async function accept(state: OperationState, changes: Partial<NewOperation> = {}): Promise<bigint> {
  const operation = await insertCreated(pool, newOperation(changes), LEASE);
  if (!operation) throw new Error('the request key is taken');
  const ended = state === 'delivered' || state === 'failed';
  await owner.query(
    `update operation set state = $2, finished_at = case when $3 then clock_timestamp() end,
       failure_code = case when $2 in ('failing', 'failed') then 'search_failed' end where id = $1`,
    [operation.id, state, ended],
  );
  if (ended) await owner.query('delete from job where operation_id = $1', [operation.id]);
  return operation.id;
}

async function insertMany(
  count: number,
  state: 'delivered' | 'failed',
  accountId = 1n,
  firstId = 1_000_000n,
): Promise<void> {
  await owner.query(
    `insert into operation (id, account_id, action, request_key, fingerprint, normal_form_version, normal_form,
       subscription_id, credential_id, test_mode, payment, worst_case_units, state, created_at, deadline_at, finished_at, failure_code)
     select $4::bigint + n, $1::bigint, (array['company_search', 'company_lookup', 'observation_lookup'])[1 + n % 3], 'key ' || n,
       sha256('x'), 1, '{"query": "a"}', 2, 3, false, 'hold', 10, $3::text,
       timestamptz '2026-01-01' + n * interval '1 ms', now(), now(), case when $3 = 'failed' then 'search_failed' end
     from generate_series(1, $2::integer) n`,
    [accountId, count, state, firstId],
  );
  await owner.query('analyze operation');
}

async function readAll(filter: ListFilter, limit: number, between: () => Promise<unknown> = async () => undefined) {
  const ids: bigint[] = [];
  const sizes: number[] = [];
  for (let after: ListPosition | undefined; ; ) {
    const page = await listOperations(pool, filter, after, limit);
    ids.push(...page.operations.map(({ id }) => id));
    sizes.push(page.operations.length);
    after = page.next;
    if (!after) return { ids, sizes };
    await between();
  }
}

test('operations come by the moment of acceptance, newest first, whatever they do and whichever partition they are in', async () => {
  const ids: bigint[] = [];
  for (const action of [
    'company_search',
    'diagnostic',
    'company_lookup',
    'company_search',
    'observation_lookup',
  ] as const) {
    const form = action === 'diagnostic' ? {} : { query: 'a' };
    ids.unshift(await accept('delivered', { input: { action, form } as NewOperation['input'] }));
    await owner.query(
      "select setval('operation_id_seq', ((last_value >> 24) + 1) << 24) from operation_id_seq where $1",
      [ids.length === 2],
    );
  }
  expect((ids[0] ?? 0n) - (ids.at(-1) ?? 0n)).toBeGreaterThan(1n << 23n);
  for (const limit of [1, 2, 3, 5, 100]) expect((await readAll(ALL, limit)).ids).toEqual(ids);
  const { operations } = await listOperations(pool, { ...ALL, actions: ['diagnostic'] }, undefined, 10);
  expect(operations).toMatchObject([{ id: ids[3], action: 'diagnostic', query: undefined, state: 'delivered' }]);
});

test('at the same moment the higher number comes first, and none is lost between two pages', async () => {
  const ids: bigint[] = [];
  for (let n = 0; n < 9; n += 1) ids.unshift(await accept('delivered'));
  await owner.query("update operation set created_at = '2026-01-01T00:00:00.123456Z'");
  for (const limit of [1, 2, 4]) expect((await readAll(ALL, limit)).ids).toEqual(ids);
});

test('operations that arrive between two pages cause no repeat and no gap, even with a clock that was set back', async () => {
  const ids: bigint[] = [];
  for (let n = 0; n < 7; n += 1) ids.unshift(await accept('delivered'));
  let late: bigint | undefined;
  const read = await readAll(ALL, 2, async () => {
    await accept('delivered');
    if (late !== undefined) return;
    late = await accept('delivered');
    await owner.query("update operation set created_at = created_at - interval '1 hour' where id = $1", [late]);
  });
  expect(read.ids.filter((id) => id !== late)).toEqual(ids);
  expect(new Set(read.ids).size).toBe(read.ids.length);
});

test('`since` is inclusive and `until` exclusive, to the microsecond', async () => {
  const ids: bigint[] = [];
  for (const at of ['01.000001', '01.000002', '01.000003']) {
    ids.push(await accept('delivered'));
    await owner.query('update operation set created_at = $2 where id = $1', [ids.at(-1), `2026-01-01T00:00:${at}Z`]);
  }
  const between = { since: '2026-01-01T00:00:01.000002Z', until: '2026-01-01T00:00:01.000003Z' };
  expect((await readAll({ ...ALL, ...between }, 10)).ids).toEqual([ids[1]]);
});

test('ended and unended states are filtered, and another account has none of them', async () => {
  const ids = new Map<OperationState, bigint>();
  for (const state of ['created', 'withdrawing', ...STATES] as const) ids.set(state, await accept(state));
  const failedLookup = { action: 'company_lookup', form: { ids: ['1'] } } as const;
  const lookup = await accept('failed', { input: failedLookup });
  const idsOf = async (...states: OperationState[]) => (await readAll({ ...ALL, states }, 10)).ids;
  expect(await idsOf('held')).toEqual([ids.get('held')]);
  expect(await idsOf('running', 'stored', 'failing')).toEqual([
    ids.get('failing'),
    ids.get('stored'),
    ids.get('running'),
  ]);
  expect(await idsOf('delivered')).toEqual([ids.get('delivered')]);
  expect(await idsOf('failed')).toEqual([lookup, ids.get('failed')]);
  expect(await idsOf(...STATES)).toHaveLength(7);
  for (const states of [STATES, ['held'], ['failed']] as const)
    expect((await listOperations(pool, { ...ALL, accountId: 2n, states }, undefined, 10)).operations).toEqual([]);
});

test('an unfinished operation is found in its queue, outside of it, and before its job is first read', async () => {
  const [ready, running, unseen] = [await accept('held'), await accept('running'), await accept('held')];
  await owner.query("update job set ready = true, queue = 'sources' where operation_id = $1", [ready]);
  await owner.query('update job set account_id = null where operation_id = $1', [unseen]);
  const others = await accept('held', { accountId: 2n });
  await owner.query('update job set account_id = null where operation_id = $1', [others]);
  expect((await readAll({ ...ALL, states: ['held', 'running'] }, 1)).ids).toEqual([unseen, running, ready]);
});

test('where most are in other states a page ends after so many, and the pages together miss none', async () => {
  const first = await accept('delivered');
  await owner.query("update operation set created_at = '2025-12-31' where id = $1", [first]);
  await insertMany(3 * (MOST_EXAMINED + 300), 'failed');
  const last = await accept('delivered');
  const read = await readAll({ ...ALL, states: ['delivered'] }, 10);
  expect(read.ids).toEqual([last, first]);
  expect(read.sizes.length).toBeGreaterThan(1);
  expect((await readAll({ ...ALL, states: ['failed'] }, 100)).ids).toHaveLength(3 * (MOST_EXAMINED + 300));
});

/** Counts the table rows and index entries that a warmed-up page reads. */
async function countRead(filter: ListFilter): Promise<number> {
  return await inTransaction(owner, async (client) => {
    for (let n = 0; n < 8; n += 1) await listOperations(client, filter, undefined, 100);
    const read = async () => {
      const { rows } = await client.query<{ read: bigint }>(
        `select sum(pg_stat_get_xact_tuples_fetched(c.oid) + pg_stat_get_xact_tuples_returned(c.oid))::bigint as read
         from pg_class c
         where c.oid in (select relid from pg_partition_tree('operation'))
            or c.oid in (select indexrelid from pg_index where indrelid in (select relid from pg_partition_tree('operation')))`,
      );
      return Number(rows[0]?.read ?? 0);
    };
    const before = await read();
    await listOperations(client, filter, undefined, 100);
    return (await read()) - before;
  });
}

test('a page reads as little of ten thousand operations as of a few hundred', async () => {
  const filters: readonly ListFilter[] = [
    ALL,
    { ...ALL, actions: ['company_lookup'] },
    { ...ALL, states: ['failed'] },
    { ...ALL, states: ['running', 'stored', 'failing'] },
    { ...ALL, until: '2026-01-01T00:00:00.200Z' },
    { ...ALL, accountId: 3n },
  ];
  await insertMany(500, 'delivered');
  await insertMany(20, 'failed', 1n, 2_000_000n);
  const few = await Promise.all(filters.map(countRead));
  await insertMany(10_000, 'delivered', 1n, 3_000_000n);
  await insertMany(10_000, 'delivered', 2n, 4_000_000n);
  const many = await Promise.all(filters.map(countRead));
  expect(Math.max(...many)).toBeLessThan(1_500);
  expect(Math.max(...few)).toBeGreaterThan(0);
});

test('an unfinished operation is looked up by its number without reading its long history', async () => {
  await insertMany(20_000, 'delivered');
  for (let n = 0; n < 300; n += 1) await accept('held');
  await owner.query('analyze operation, job');
  expect(await countRead({ ...ALL, states: ['held'] })).toBeLessThan(2_000);
  expect(await countRead({ ...ALL, states: ['running', 'stored', 'failing'] })).toBeLessThan(2_000);
});

test('request keys are returned only for stored operations of the account and subscription', async () => {
  const own = await accept('delivered', { requestKey: 'mine' });
  await accept('delivered', { accountId: 2n });
  await accept('delivered', { subscriptionId: 9n });
  const old = await accept('delivered', { requestKey: 'old' });
  await owner.query("update operation set created_at = created_at - interval '400 days' where id = $1", [old]);
  const keptSince = new Date(Date.now() - 399 * 86_400_000);
  const { rows } = await owner.query<{ id: bigint; identity: string }>('select id, identity from operation');
  const named = rows.map(({ id, identity }) => ({ operationId: id, operationIdentity: identity }));
  const keys = await findRequestKeys(
    pool,
    1n,
    2n,
    [...named, ...named, { operationId: 999n, operationIdentity: crypto.randomUUID() }],
    keptSince,
  );
  expect([...keys]).toEqual([[own, { requestKey: 'mine', action: 'company_search' }]]);
  expect(await findRequestKeys(pool, 1n, 2n, [], keptSince)).toEqual(new Map());
});
