import { createPool, type Pool } from '@ces/chassis/postgres/pool';
import { createLogger } from '@ces/chassis/telemetry/log';
import { createTestDatabase, type TestDatabase } from '@ces/test/support/database.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SoughtPart, startBalancing } from './balance-parts.ts';

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
 * Sets the holder of each part's lease, in the order of the parts. An empty name means no holder.
 */
async function holders(...names: readonly string[]): Promise<void> {
  await pool.query('delete from part_claim');
  for (const [at, holder] of names.entries())
    await pool.query(
      `insert into lease (name, holder, fence, until) values ($1, $2, 1, $3)
       on conflict on constraint lease_key do update set holder = excluded.holder, until = excluded.until`,
      [`part-${at}`, `${holder}#${at}`, holder === '' ? '-infinity' : 'infinity'],
    );
}

function processOf(name: string, count: number) {
  const givenBack: string[] = [];
  const parts = Array.from({ length: count }, (_, at): SoughtPart => {
    const lease = `part-${at}`;
    return {
      lease,
      async giveBack() {
        givenBack.push(lease);
        await pool.query(`update lease set until = '-infinity' where name = $1`, [lease]);
      },
    };
  });
  const task = startBalancing({ db: pool, process: name, parts, everyMs: EVERY_MS, logger });
  return { givenBack, [Symbol.asyncDispose]: () => task[Symbol.asyncDispose]() };
}

async function claims(): Promise<string[]> {
  const { rows } = await pool.query<{ lease: string }>('select lease from part_claim order by lease');
  return rows.map(({ lease }) => lease);
}

test('who has none claims one of whoever has the most, the first part last, and is given it', async () => {
  const held = ['a', 'a', 'b', 'a'];
  await holders(...held);
  await using _idle = processOf('c', held.length);
  await expect.poll(claims, WITHIN).toEqual(['part-3']);
  await using most = processOf('a', held.length);
  await expect.poll(() => most.givenBack, WITHIN).toEqual(['part-3']);
});

test('nobody claims where no other has two more, nor gives back the only one', async () => {
  const held = ['a', 'a', 'b'];
  await holders(...held);
  await using _one = processOf('b', held.length);
  await expect(
    expect.poll(claims, { timeout: 8 * EVERY_MS, interval: EVERY_MS }).toEqual(['part-1']),
  ).rejects.toThrow();
  await pool.query(`insert into part_claim (lease, claimed_at) values ('part-2', 'infinity')`);
  await using only = processOf('b', held.length);
  await expect(
    expect.poll(() => only.givenBack, { timeout: 8 * EVERY_MS, interval: EVERY_MS }).toEqual(['part-2']),
  ).rejects.toThrow();
});

test('nobody claims of itself, though it may not know yet what it has', async () => {
  const held = ['a', 'a', 'a'];
  await holders(...held);
  await using _all = processOf('a', held.length);
  await expect(
    expect.poll(claims, { timeout: 8 * EVERY_MS, interval: EVERY_MS }).toEqual(['part-2']),
  ).rejects.toThrow();
});

test('a claim of a process that has gone since is none', async () => {
  const held = ['a', 'a'];
  await holders(...held);
  await pool.query(`insert into part_claim (lease, claimed_at) values ('part-1', now() - interval '1 minute')`);
  await using most = processOf('a', held.length);
  await expect(
    expect.poll(() => most.givenBack, { timeout: 8 * EVERY_MS, interval: EVERY_MS }).toEqual(['part-1']),
  ).rejects.toThrow();
});
