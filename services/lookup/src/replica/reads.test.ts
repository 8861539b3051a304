import { createServer } from 'node:net';
import { createPool, type Pool } from '@ces/chassis/postgres/pool';
import { createLogger } from '@ces/chassis/telemetry/log';
import { createReplicatedDatabase, type ReplicatedDatabase } from '@ces/test/support/replicated-database.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { createReplicaReads, type Reads } from './reads.ts';

const logger = createLogger('test', 'silent');
const WRITES = 200;
let database: ReplicatedDatabase;
let owner: Pool;
let primary: Pool;
let replica: Pool;
let reads: Reads;
let written = 0;

beforeAll(async () => {
  database = await createReplicatedDatabase('lookup');
  owner = open(database.ownerUrl);
  primary = open(database.primaryUrl);
  await owner.query('create table written (number int); grant select on written to lookup');
});
afterAll(async () => {
  await owner.end();
  await primary.end();
  await database[Symbol.asyncDispose]();
});
beforeEach(() => {
  replica = open(database.replicaUrl);
  reads = createReplicaReads(primary, replica, logger);
});
afterEach(() => replica.end());

test('a read sees everything committed before it, and uses the replica if that has it', async () => {
  await expect.poll(async () => (await readNewest()).fromReplica).toBe(true);
  let fromReplica = 0;
  for (let n = 0; n < WRITES; n += 1) {
    await write();
    const seen = await readNewest();
    expect(seen.newest).toBe(written);
    if (seen.fromReplica) fromReplica += 1;
    else reads = createReplicaReads(primary, replica, logger);
  }
  expect(fromReplica).toBeGreaterThan(WRITES / 2);
});

test('reads that come together each see what was committed before them', async () => {
  const seen = Array.from({ length: WRITES }, async () => {
    const own = await write();
    return [own, (await readNewest()).newest] as const;
  });
  for (const [own, newest] of await Promise.all(seen)) expect(newest).toBeGreaterThanOrEqual(own);
});

test('a stalled replica is not waited for, and serves again once it has caught up', async () => {
  await database.onReplica('select pg_wal_replay_pause()');
  await write();
  expect(await readNewest()).toEqual({ newest: written, fromReplica: false });
  await database.onReplica('select pg_wal_replay_resume()');
  await expect.poll(readNewest).toEqual({ newest: written, fromReplica: true });
});

test('a replica that follows late never shows what was before', async () => {
  await database.onReplica(`alter system set recovery_min_apply_delay = '30ms'`);
  await database.onReplica('select pg_reload_conf()');
  for (let n = 0; n < 20; n += 1) {
    await write();
    reads = createReplicaReads(primary, replica, logger);
    expect((await readNewest()).newest).toBe(written);
  }
  await database.onReplica('alter system reset recovery_min_apply_delay');
  await database.onReplica('select pg_reload_conf()');
});

test('a replica that is gone costs an answer nothing but time, and serves again when it is back', async () => {
  await expect.poll(async () => (await readNewest()).fromReplica).toBe(true);
  await database.stopReplica();
  await write();
  for (let n = 0; n < 5; n += 1) expect(await readNewest()).toEqual({ newest: written, fromReplica: false });
  await database.startReplica();
  await expect.poll(readNewest, { timeout: 60_000, interval: 100 }).toEqual({ newest: written, fromReplica: true });
});

test('a silent replica is asked once in five seconds, and not used meanwhile', async () => {
  let asked = 0;
  const server = createServer(() => {
    asked += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const silent = open(`postgres://lookup@127.0.0.1:${port}/lookup`);
  reads = createReplicaReads(primary, silent, logger);
  const began = performance.now();
  for (let n = 0; n < 50; n += 1) expect((await readNewest()).fromReplica).toBe(false);
  expect(asked).toBeGreaterThan(0);
  expect(asked).toBeLessThanOrEqual(1 + Math.floor((performance.now() - began) / 5_000));
  server.close();
  await silent.end();
});

test('a server that follows another primary is refused', async () => {
  const other = open(inject('postgresUrl'));
  reads = createReplicaReads(primary, other, logger);
  expect((await readNewest()).fromReplica).toBe(false);
  await other.end();
});

test('a replica that was promoted goes its own way and is read no more', async () => {
  await expect.poll(async () => (await readNewest()).fromReplica).toBe(true);
  await database.onReplica('select pg_promote()');
  await database.onReplica('insert into written values (1000000)');
  reads = createReplicaReads(primary, replica, logger);
  expect(await readNewest()).toEqual({ newest: written, fromReplica: false });
});

async function write(): Promise<number> {
  const number = ++written;
  await owner.query('insert into written values ($1)', [number]);
  return number;
}

async function readNewest(): Promise<{ newest: number | null; fromReplica: boolean }> {
  return await reads.read(async (db) => {
    const { rows } = await db.query<{ newest: number | null; from_replica: boolean }>(
      'select max(number) as newest, pg_is_in_recovery() as from_replica from written',
    );
    return { newest: rows[0]?.newest ?? null, fromReplica: rows[0]?.from_replica ?? false };
  });
}

function open(connectionString: string): Pool {
  return createPool({ connectionString, max: 10, applicationName: 'test', pipeline: true, prepare: true, logger });
}
