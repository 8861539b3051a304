import { createPool, type Pool } from '@ces/chassis/postgres/pool';
import { createLogger } from '@ces/chassis/telemetry/log';
import { createTestDatabase, type TestDatabase } from '@ces/test/support/database.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type PartitionCandidate, startBalancing } from './balance-partitions.ts';

const EVERY_MS = 50;
const WITHIN = { timeout: 60_000, interval: 20 };

let database: TestDatabase;
let pool: Pool;
const logger = createLogger('search', 'silent');
beforeEach(async () => {
  database = await createTestDatabase('search');
  pool = createPool({ connectionString: database.url, max: 4, applicationName: 'search test', pipeline: true, logger });
});
afterEach(async () => {
  await pool.end();
  await database[Symbol.asyncDispose]();
});

/**
 * Sets the holder of each partition's lease, in the order of the partitions. An empty name means no
 * holder.
 */
async function holders(...names: readonly string[]): Promise<void> {
  await pool.query('delete from partition_claim');
  for (const [at, holder] of names.entries())
    await pool.query(
      `insert into lease (name, holder, fence, until) values ($1, $2, 1, $3)
       on conflict on constraint lease_key do update set holder = excluded.holder, until = excluded.until`,
      [`partition-${at}`, `${holder}#${at}`, holder === '' ? '-infinity' : 'infinity'],
    );
}

function processOf(name: string, count: number) {
  const yielded: string[] = [];
  const partitions = Array.from({ length: count }, (_, at): PartitionCandidate => {
    const lease = `partition-${at}`;
    return {
      lease,
      async yieldLease() {
        yielded.push(lease);
        await pool.query(`update lease set until = '-infinity' where name = $1`, [lease]);
      },
    };
  });
  const task = startBalancing({ db: pool, process: name, partitions, everyMs: EVERY_MS, logger });
  return { yielded, [Symbol.asyncDispose]: () => task[Symbol.asyncDispose]() };
}

async function claims(): Promise<string[]> {
  const { rows } = await pool.query<{ lease: string }>('select lease from partition_claim order by lease');
  return rows.map(({ lease }) => lease);
}

test('who has none claims one of whoever has the most, the first partition last, and is given it', async () => {
  const held = ['a', 'a', 'b', 'a'];
  await holders(...held);
  await using _idle = processOf('c', held.length);
  await expect.poll(claims, WITHIN).toEqual(['partition-3']);
  await using most = processOf('a', held.length);
  await expect.poll(() => most.yielded, WITHIN).toEqual(['partition-3']);
});

test('nobody claims where no other has two more, nor gives back the only one', async () => {
  const held = ['a', 'a', 'b'];
  await holders(...held);
  await using _one = processOf('b', held.length);
  await expect(
    expect.poll(claims, { timeout: 8 * EVERY_MS, interval: EVERY_MS }).toEqual(['partition-1']),
  ).rejects.toThrow();
  await pool.query(`insert into partition_claim (lease, claimed_at) values ('partition-2', 'infinity')`);
  await using only = processOf('b', held.length);
  await expect(
    expect.poll(() => only.yielded, { timeout: 8 * EVERY_MS, interval: EVERY_MS }).toEqual(['partition-2']),
  ).rejects.toThrow();
});

test('nobody claims of itself, though it may not know yet what it has', async () => {
  const held = ['a', 'a', 'a'];
  await holders(...held);
  await using _all = processOf('a', held.length);
  await expect(
    expect.poll(claims, { timeout: 8 * EVERY_MS, interval: EVERY_MS }).toEqual(['partition-2']),
  ).rejects.toThrow();
});

test('a claim of a process that has gone since is none', async () => {
  const held = ['a', 'a'];
  await holders(...held);
  await pool.query(
    `insert into partition_claim (lease, claimed_at) values ('partition-1', now() - interval '1 minute')`,
  );
  await using most = processOf('a', held.length);
  await expect(
    expect.poll(() => most.yielded, { timeout: 8 * EVERY_MS, interval: EVERY_MS }).toEqual(['partition-1']),
  ).rejects.toThrow();
});
