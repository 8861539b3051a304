import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { backUp } from './dump.ts';
import { outsideUrls } from './files.ts';
import { restore } from './load.ts';

let database: TestDatabase;
let directory: string;
let db: pg.Client;

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ces-backup-'));
});
afterAll(() => rm(directory, { recursive: true }));
beforeEach(async () => {
  database = await createTestDatabase('operations');
  db = new pg.Client({ connectionString: database.ownerUrl });
  await db.connect();
  return async () => {
    await db.end();
    await database[Symbol.asyncDispose]();
  };
});

async function write(requestKey: string): Promise<bigint> {
  const { rows } = await db.query<{ id: bigint }>(
    `with o as (
       insert into operation (account_id, action, request_key, fingerprint, normal_form_version, normal_form,
         subscription_id, credential_id, test_mode, payment, worst_case_units, state, created_at, deadline_at)
       values (9007199254740993, 'company_search', $1, sha256('f'), 1,
         '{"query": "Zo\\u00eb, \\"x\\"\\n"}', 1, 1, false, 'hold', 5, 'held', '2026-01-01T00:00:00.123457Z', now())
       returning id
     )
     insert into job (operation_id, fence, attempts, owner, due_at, publish_at) select id, 1, 0, null, now(), now() from o
     returning operation_id as id`,
    [requestKey],
  );
  return BigInt(rows[0]?.id ?? 0);
}

async function contents(client = db): Promise<unknown[]> {
  const { rows } = await client.query(
    'select o::text, j::text from operation o join job j on j.operation_id = o.id order by o.id',
  );
  return rows;
}

test('a database is put back to the moment of its backup, to the last microsecond and byte', async () => {
  await write('a');
  await write('{"rows":1}');
  const before = await contents();
  const file = path.join(directory, 'whole');
  const { rows } = await backUp(database.ownerUrl, file);
  expect(rows).toBeGreaterThanOrEqual(4);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await write('later');
  await db.query(`update operation set state = 'running' where request_key = 'a'`);
  expect(await restore(database.ownerUrl, file)).toMatchObject({ rows });
  expect(await contents()).toEqual(before);
});

test('an id that was given out after the backup is never given out again', async () => {
  await write('a');
  const file = path.join(directory, 'ids');
  await backUp(database.ownerUrl, file);
  const given = await write('later');
  await restore(database.ownerUrl, file);
  expect(await write('anew')).toBeGreaterThan(given);
});

test('keys between tables are checked again after a restore', async () => {
  await using ledger = await createTestDatabase('ledger');
  const client = new pg.Client({ connectionString: ledger.ownerUrl });
  await client.connect();
  const keys = async () => {
    const { rows } = await client.query<{ key: string }>(
      `select conname || ' ' || pg_get_constraintdef(oid) as key from pg_constraint where contype = 'f' order by 1`,
    );
    return rows.map(({ key }) => key);
  };
  const before = await keys();
  const file = path.join(directory, 'keys');
  await backUp(ledger.ownerUrl, file);
  await restore(ledger.ownerUrl, file);
  expect(before.length).toBeGreaterThan(0);
  expect(await keys()).toEqual(before);
  await client.end();
});

test('a backup that is cut off, or of another version, changes nothing', async () => {
  await write('a');
  const file = path.join(directory, 'bad');
  await backUp(database.ownerUrl, file);
  await write('later');
  const before = await contents();
  const lines = gunzipSync(await readFile(file))
    .toString()
    .trim()
    .split('\n');
  await writeFile(file, gzipSync(lines.slice(0, -1).join('\n')));
  await expect(restore(database.ownerUrl, file)).rejects.toThrow('incomplete');
  await writeFile(file, gzipSync(lines.join('\n').replace('0001_baseline', '0000_other')));
  await expect(restore(database.ownerUrl, file)).rejects.toThrow('restore it with the version that made it');
  expect(await contents()).toEqual(before);
});

test('an index comes back into a database that has not made its months, and into one that has', async () => {
  await using from = await createTestDatabase('search');
  await using to = await createTestDatabase('search');
  await using source = await connected(from);
  await using target = await connected(to);
  await source.query(`select create_partition(date_trunc('month', current_date)::date)`);
  const partitions = `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'entry'::regclass order by 1`;
  const { rows: before } = await source.query(partitions);
  const file = path.join(directory, 'index');
  await backUp(from.ownerUrl, file);
  await restore(to.ownerUrl, file);
  await restore(to.ownerUrl, file);
  expect((await target.query(partitions)).rows).toEqual(before);
});

test('databases that the environment names, all of them, need no stack on this machine', () => {
  const env = { CES_LEDGER_OWNER_DATABASE_URL: 'postgres://l', CES_OPERATIONS_OWNER_DATABASE_URL: 'postgres://o' };
  expect(outsideUrls(['ledger', 'operations'], env)?.('operations')).toBe('postgres://o');
  expect(outsideUrls(['ledger', 'lookup'], env)).toBeUndefined();
});

test('rows that a trigger writes come back once, and partitioned tables whole', async () => {
  await using acquisition = await createTestDatabase('acquisition');
  const client = new pg.Client({ connectionString: acquisition.ownerUrl });
  await client.connect();
  const keep = (text: string) =>
    client.query(
      `insert into raw_record (source, hash, source_key, uri, document_uri, fetched_at, last_seen_at, content, content_bytes, fields, extractor_version)
       select 's', sha256($1::bytea), 'k', '', '', day, day, $1::bytea, 1, '{}', 1
         from unnest(array['2019-01-01', '2099-01-01']::timestamptz[]) as day`,
      [text],
    );
  const kept = async () =>
    (
      await client.query(
        `select (select count(*)::int from raw_record) as raw, (select count(*)::int from kept_record) as known, (select records::int from kept_count) as counted`,
      )
    ).rows;
  await keep('a');
  await keep('b');
  const file = path.join(directory, 'triggers');
  await backUp(acquisition.ownerUrl, file);
  await keep('c');
  await restore(acquisition.ownerUrl, file);
  expect(await kept()).toEqual([{ raw: 2, known: 2, counted: 2 }]);
  await keep('a');
  await keep('d');
  expect(await kept()).toEqual([{ raw: 3, known: 3, counted: 3 }]);
  await client.end();
});

const RANGE = 2 ** 24;

test('operations of any range of numbers come back into a database that is new', async () => {
  for (const range of [5, 9]) {
    await db.query(`select setval('operation_id_seq', $1)`, [range * RANGE]);
    await db.query('select prepare_operation_partitions()');
    await write(`range ${range}`);
  }
  const before = await contents();
  const file = path.join(directory, 'ranges');
  await backUp(database.ownerUrl, file);
  await using fresh = await createTestDatabase('operations');
  await restore(fresh.ownerUrl, file);
  await using client = await connected(fresh);
  expect(await contents(client)).toEqual(before);
  await client.query('select prepare_operation_partitions()');
  await client.query('select begin_operation_month()');
});

test('operations of a range that has been retired since come back', async () => {
  await db.query(`select setval('operation_id_seq', $1)`, [5 * RANGE]);
  await db.query('select prepare_operation_partitions()');
  await write('retired since');
  const before = await contents();
  const file = path.join(directory, 'retired');
  await backUp(database.ownerUrl, file);
  await db.query('drop table operation_5, result_5, shortlist_5, plan_5');
  await restore(database.ownerUrl, file);
  expect(await contents()).toEqual(before);
});

test('a ledger knows the partitions that it has, whichever the one had that its rows come from', async () => {
  await using younger = await createTestDatabase('ledger');
  await using older = await createTestDatabase('ledger');
  await using one = await connected(younger);
  await using other = await connected(older);
  await other.query(
    `insert into hold (operation_id, operation_identity, state, request_units, delivered_units, created_at, refusal_code, refusal_message, admissible_delivered_units)
    values ($1, gen_random_uuid(), 'refused', 1, 1, now(), 'usage_expired', 'x', 0)`,
    [5 * RANGE + 1],
  );
  await other.query('select create_partitions()');
  const partitions = async (client: pg.Client) =>
    (
      await client.query(`select
        array(select name from list_partitions('hold') union all select name from list_partitions('entry') order by 1) as known,
        array(select relid::regclass::text from unnest(array['hold', 'entry']) t (name), pg_partition_tree(name::regclass)
              where isleaf and relid::regclass::text not like '%default' order by 1) as present,
        (select count(*)::int from hold) as holds, (select count(*)::int from hold_default) as strayed`)
    ).rows[0];
  const [few, many] = [path.join(directory, 'few'), path.join(directory, 'many')];
  await backUp(younger.ownerUrl, few);
  await backUp(older.ownerUrl, many);
  await restore(younger.ownerUrl, many);
  await restore(older.ownerUrl, few);
  for (const [client, holds] of [
    [one, 1],
    [other, 0],
  ] as const) {
    await client.query('select create_partitions()');
    const { known, present, ...rows } = await partitions(client);
    expect(known).toEqual(present);
    expect(rows).toEqual({ holds, strayed: 0 });
  }
});

test('a backup that ends in the middle of its bytes is refused', async () => {
  await write('a');
  const file = path.join(directory, 'cut');
  await backUp(database.ownerUrl, file);
  const bytes = await readFile(file);
  await writeFile(file, bytes.subarray(0, bytes.length - 20));
  await expect(restore(database.ownerUrl, file)).rejects.toThrow('incomplete');
});

test('a statement carries no more than some megabytes, however large the rows are', async () => {
  await using acquisition = await createTestDatabase('acquisition');
  await using client = await connected(acquisition);
  await client.query(
    `insert into raw_record (source, hash, source_key, uri, document_uri, fetched_at, last_seen_at, content, content_bytes, fields, extractor_version)
     select 's', sha256(n::text::bytea), n::text, '', '', now(), now(), convert_to(repeat('x', 4000000), 'UTF8'), 4000000, '{}', 1
       from generate_series(1, 12) n`,
  );
  const file = path.join(directory, 'large');
  await backUp(acquisition.ownerUrl, file);
  const asked = vi.spyOn(pg.Client.prototype, 'query');
  await restore(acquisition.ownerUrl, file);
  const lengths = asked.mock.calls.map(([, values]) => String((values as unknown[] | undefined)?.[0] ?? '').length);
  asked.mockRestore();
  expect(Math.max(...lengths)).toBeLessThan(32_000_000);
  const { rows } = await client.query(
    'select count(*)::int as records, sum(length(content))::int as bytes from raw_record',
  );
  expect(rows).toEqual([{ records: 12, bytes: 48_000_000 }]);
});

async function connected({ ownerUrl }: TestDatabase): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
