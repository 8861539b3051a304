import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, expect, inject, test } from 'vitest';
import { createLogger } from '../telemetry/log.ts';
import { migrate } from './migrate.ts';

const logger = createLogger('test', 'silent');
/** Too short for any wait: a migration that passes did not wait under these limits. */
const IMPATIENT = { lockTimeoutMs: 50, attempts: 1 };
const INDEX = '-- migrate: without transaction\ncreate index concurrently if not exists thing_id on thing (id);';
const cleanup = new AsyncDisposableStack();
const server = await connect(inject('postgresUrl'));
const directory = await mkdtemp(path.join(os.tmpdir(), 'ces-migration-files-'));
cleanup.defer(() => rm(directory, { recursive: true }));
await writeFile(
  path.join(directory, '0001_thing.sql'),
  'create table thing (id int); insert into thing values (1), (1);',
);
let count = 0;
let databaseUrl: string;
let user: pg.Client;
let other: pg.Client;

beforeEach(async () => {
  const name = `migration_files_${process.pid}_${++count}`;
  await server.query(`create database ${name}`);
  cleanup.defer(async () => {
    await server.query(`drop database ${name} with (force)`);
  });
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  databaseUrl = url.href;
  await migrate(directory, databaseUrl, logger);
  user = await connect(databaseUrl);
  other = await connect(databaseUrl);
});
afterEach(() => rm(path.join(directory, '0002_next.sql'), { force: true }));
afterAll(() => cleanup.disposeAsync());

test('reads and writes go on while an index waits for a transaction that reads for long', async () => {
  await nextIs(INDEX);
  await user.query('begin isolation level repeatable read');
  await user.query('select from thing');
  const migration = migrate(directory, databaseUrl, logger, IMPATIENT);
  await untilItWaits();
  await other.query('insert into thing values (2)');
  await other.query('select from thing');
  expect(await isValid('thing_id')).toBe(false);
  await user.query('commit');
  expect(await migration).toBe(1);
  expect(await isValid('thing_id')).toBe(true);
});

test('writes go on while an index waits for a transaction that writes for long', async () => {
  await nextIs(INDEX);
  await user.query('begin');
  await user.query('insert into thing values (2)');
  const migration = migrate(directory, databaseUrl, logger, IMPATIENT);
  await untilItWaits();
  await other.query('insert into thing values (3)');
  await user.query('commit');
  expect(await migration).toBe(1);
});

test('an index that an attempt left invalid is built again by the next run', async () => {
  await nextIs(INDEX.replace('index', 'unique index'));
  await expect(migrate(directory, databaseUrl, logger)).rejects.toThrow('could not create unique index');
  expect(await isValid('thing_id')).toBe(false);
  await other.query('delete from thing');
  expect(await migrate(directory, databaseUrl, logger)).toBe(1);
  expect(await isValid('thing_id')).toBe(true);
});

test('an index whose build was ended in the middle is built again by the next run', async () => {
  await nextIs(INDEX);
  await user.query('begin isolation level repeatable read');
  await user.query('select from thing');
  const migration = migrate(directory, databaseUrl, logger, IMPATIENT);
  const ended = expect(migration).rejects.toThrow('terminating connection');
  await untilItWaits();
  await other.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'migration' and datname = current_database()`);
  await ended;
  await user.query('commit');
  expect(await isValid('thing_id')).toBe(false);
  expect(await migrate(directory, databaseUrl, logger)).toBe(1);
  expect(await isValid('thing_id')).toBe(true);
});

test('an index that was built and not noted is noted', async () => {
  await other.query('create index thing_id on thing (id)');
  await nextIs(INDEX);
  expect(await migrate(directory, databaseUrl, logger)).toBe(1);
});

test('of two that run at once neither waits for the other inside a transaction', async () => {
  await nextIs(INDEX);
  const applied = await Promise.all([1, 2].map(() => migrate(directory, databaseUrl, logger, IMPATIENT)));
  expect(applied.toSorted()).toEqual([0, 1]);
});

test('an index that could not be built twice is refused before anything runs', async () => {
  await nextIs(INDEX.replace('if not exists ', ''));
  await expect(migrate(directory, databaseUrl, logger)).rejects.toThrow('wants "if not exists"');
});

test('an index of a partitioned table is built per partition while others write, and rebuilt where one is invalid', async () => {
  await other.query(`create table part (id int) partition by range (id);
    create table part_1 partition of part for values from (0) to (10); create table part_2 partition of part for values from (10) to (20);
    insert into part values (1), (1), (11)`);
  const build =
    '-- migrate: without transaction, for each partition of part\ncreate unique index concurrently if not exists';
  await nextIs(`${build} {partition}_id on {partition} (id);`);
  await expect(migrate(directory, databaseUrl, logger)).rejects.toThrow('could not create unique index');
  expect(await isValid('part_1_id')).toBe(false);
  await other.query('delete from part_1 where ctid = (select min(ctid) from part_1)');
  await user.query('begin');
  await user.query('insert into part values (2), (12)');
  const migration = migrate(directory, databaseUrl, logger, IMPATIENT);
  await untilItWaits();
  await other.query('insert into part values (3), (13)');
  await user.query('commit');
  expect(await migration).toBe(1);
  expect([await isValid('part_1_id'), await isValid('part_2_id')]).toEqual([true, true]);
});

test('a block outside a transaction keeps its committed batches, and its lock waits are bounded', async () => {
  await nextIs(`-- migrate: without transaction
    do $$ begin insert into thing values (7); commit; lock table thing; end $$;`);
  await user.query('begin');
  await user.query('select from thing');
  await expect(migrate(directory, databaseUrl, logger, IMPATIENT)).rejects.toThrow('gave up');
  expect((await other.query('select from thing where id = 7')).rowCount).toBe(1);
});

test('a file may take longer than statements of its role', async () => {
  await other.query(
    `do $$ begin execute format('alter database %I set statement_timeout = 500', current_database()); end $$`,
  );
  await nextIs('select pg_sleep(1);');
  expect(await migrate(directory, databaseUrl, logger)).toBe(1);
});

async function nextIs(sql: string): Promise<void> {
  await writeFile(path.join(directory, '0002_next.sql'), sql);
}

async function isValid(index: string): Promise<boolean | undefined> {
  const { rows } = await other.query<{ indisvalid: boolean }>(
    'select indisvalid from pg_index where indexrelid = to_regclass($1)',
    [index],
  );
  return rows[0]?.indisvalid;
}

async function untilItWaits(): Promise<void> {
  const waiting = `select 1 from pg_locks l join pg_stat_activity a using (pid)
    where not l.granted and l.locktype = 'virtualxid' and a.application_name = 'migration' and a.datname = current_database()`;
  await expect.poll(async () => (await other.query(waiting)).rowCount, { interval: 10 }).toBe(1);
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  cleanup.defer(() => client.end());
  return client;
}
