import type net from 'node:net';
import type pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { isTransient } from '../rpc/error.ts';
import { createLogger } from '../telemetry/log.ts';
import { createPool, inTransaction, inTransactionAfter, type PoolOptions, violatedConstraint } from './pool.ts';

function createTestPool(
  options: Partial<
    Pick<PoolOptions, 'idleInTransactionTimeoutMs' | 'settings' | 'connectionString' | 'prepare' | 'pipeline'>
  > = {},
) {
  return createPool({
    connectionString: inject('postgresUrl'),
    ...options,
    max: 2,
    applicationName: 'chassis test',
    logger: createLogger('test', 'silent'),
  });
}

test('a transaction that throws leaves no rows and a usable connection', async () => {
  const pool = createTestPool();
  const failing = inTransaction(pool, async (client) => {
    await client.query('create table chassis_rollback (id int)');
    throw new Error('on purpose');
  });
  await expect(failing).rejects.toThrow('on purpose');
  const { rows } = await pool.query("select to_regclass('chassis_rollback') as found");
  expect(rows[0].found).toBeNull();
  await pool.end();
});

test.each([true, false])('a commit sent after a failed statement commits nothing (pipelined: %s)', async (pipeline) => {
  const pool = createTestPool({ pipeline });
  await pool.query('create table if not exists chassis_behind (id int primary key)');
  await pool.query('truncate chassis_behind');
  const write = (ids: readonly number[]) =>
    inTransactionAfter(
      pool,
      async () => undefined,
      async (client, _, commit) => {
        const writing = ids.map((id) => client.query('insert into chassis_behind values ($1)', [id]));
        commit();
        await Promise.all(writing);
      },
    );
  await expect(write([1, 2, 2])).rejects.toMatchObject({ code: '23505' });
  expect((await pool.query('select id from chassis_behind')).rows).toEqual([]);
  await write([1, 2]);
  expect((await pool.query('select id from chassis_behind order by id')).rows).toEqual([{ id: 1 }, { id: 2 }]);
  await pool.query('drop table chassis_behind');
  await pool.end();
});

test('an error that a transaction swallows is not taken for a commit', async () => {
  const pool = createTestPool();
  const swallowed = inTransaction(pool, async (client) => {
    await client.query('select 1 / 0').catch(() => undefined);
  });
  await expect(swallowed).rejects.toThrow('was to be committed');
  await pool.end();
});

test('a violated constraint is known by its name', async () => {
  const pool = createTestPool();
  const violation = await inTransaction(pool, async (client) => {
    await client.query('create temporary table thing (id int constraint thing_key primary key) on commit drop');
    await client.query('insert into thing values (1)');
    await client.query('insert into thing values (1)');
  }).catch((error: unknown) => error);
  expect(violatedConstraint(violation)).toBe('thing_key');
  expect(isTransient(violation)).toBe(false);
  await pool.end();
});

test('a connection that the server ends does not end the process, and is transient', async () => {
  const pool = createTestPool();
  const lost = await inTransaction(pool, (client) =>
    client.query('select pg_terminate_backend(pg_backend_pid())'),
  ).catch((error: unknown) => error);
  expect(isTransient(lost)).toBe(true);
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await pool.end();
});

test('a server whose name does not resolve is transient, as is one that refuses', async () => {
  for (const address of ['postgres://x@postgres.invalid/x', 'postgres://x@127.0.0.1:1/x']) {
    const pool = createTestPool({ connectionString: address });
    const unreachable = await pool.query('select 1').catch((error: unknown) => error);
    expect(isTransient(unreachable)).toBe(true);
    await pool.end();
  }
});

test('a transaction whose client falls silent is ended by the server, and that is transient', async () => {
  const pool = createTestPool({ idleInTransactionTimeoutMs: 20 });
  const isGone = async (pid: number) =>
    (await pool.query('select 1 from pg_stat_activity where pid = $1', [pid])).rowCount === 0;
  const lost = await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    await expect.poll(() => isGone(rows[0]?.pid ?? 0)).toBe(true);
    return await client.query('select 1');
  }).catch((error: unknown) => error);
  expect(isTransient(lost)).toBe(true);
  await pool.end();
});

test('a bigint stays exact', async () => {
  const pool = createTestPool();
  const { rows } = await pool.query('select 9007199254740993::bigint as id');
  expect(rows[0].id).toBe(9007199254740993n);
  await pool.end();
});

test('an address without a password is opened by that in PGPASSWORD, and by no other', async () => {
  const url = new URL(inject('postgresUrl'));
  const { PGPASSWORD: former } = process.env;
  onTestFinished(() => {
    if (former === undefined) delete process.env.PGPASSWORD;
    else process.env.PGPASSWORD = former;
  });
  const ask = async (password: string) => {
    process.env.PGPASSWORD = password;
    const pool = createTestPool({ connectionString: Object.assign(new URL(url), { password: '' }).href });
    return await pool.query('select 1 as one').finally(() => pool.end());
  };
  expect((await ask(decodeURIComponent(url.password))).rows).toEqual([{ one: 1 }]);
  await expect(ask('another')).rejects.toThrow('password authentication failed');
});

test('every connection has the settings of its pool', async () => {
  const pool = createTestPool({ settings: { jit: 'off', join_collapse_limit: '1' } });
  const { rows } = await pool.query(
    "select current_setting('jit') as jit, current_setting('join_collapse_limit') as collapse",
  );
  expect(rows).toEqual([{ jit: 'off', collapse: '1' }]);
  await pool.end();
});

test('a pool that prepares keeps what is put together at run time up to a bound', async () => {
  const pool = createTestPool({ prepare: true });
  const client = await pool.connect();
  for (let made = 0; made < 400; made += 1) await client.query(`select $1::int as made_${made}`, [made]);
  const { rows } = await client.query('select count(*)::int as kept from pg_prepared_statements');
  expect(rows).toEqual([{ kept: 300 }]);
  client.release();
  await pool.end();
});

test('statements of one turn of a pipelined pool leave together, run in order, and are all or nothing', async () => {
  const pool = createTestPool({ prepare: true, pipeline: true });
  const client = await pool.connect();
  const stream = (client as pg.Client).connection.stream as net.Socket;
  const sent = stream.bytesWritten - stream.writableLength;
  const asked = [1, 2, 3].map((value) => client.query('select $1::int as value', [value]));
  expect(stream.bytesWritten - stream.writableLength).toBe(sent);
  expect((await Promise.all(asked)).map(({ rows }) => rows[0].value)).toEqual([1, 2, 3]);
  client.release();

  await pool.query('create table chassis_turn (id int primary key)');
  const failing = inTransaction(pool, async (inside) => {
    const insert = (id: number) => inside.query('insert into chassis_turn values ($1)', [id]);
    await Promise.all([insert(1), insert(1), insert(2)]);
  });
  await expect(failing).rejects.toThrow('chassis_turn_pkey');
  expect((await pool.query('select count(*)::int as left from chassis_turn')).rows).toEqual([{ left: 0 }]);
  await pool.query('drop table chassis_turn');
  await pool.end();
});
