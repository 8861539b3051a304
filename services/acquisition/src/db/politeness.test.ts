import { createPool, type Pool } from '@ces/chassis/postgres/pool';
import { createLogger } from '@ces/chassis/telemetry/log';
import { createTestDatabase, type TestDatabase } from '@ces/test/support/database.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reserveSlot } from './politeness.ts';

const INTERVAL_MS = 60_000;
const SLOTS = 12;

let database: TestDatabase;
/** Each pool simulates a process. */
let pools: Pool[];

beforeAll(async () => {
  database = await createTestDatabase('acquisition');
  const logger = createLogger('test', 'silent');
  pools = ['one', 'other'].map((applicationName) =>
    createPool({ connectionString: database.url, max: 4, applicationName, logger }),
  );
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await database[Symbol.asyncDispose]();
});

test('slots of a host are an interval apart, whichever process reserves them, and another host does not wait', async () => {
  const take = (host: string) =>
    Promise.all(pools.flatMap((pool) => Array.from({ length: SLOTS / 2 }, () => reserveSlot(pool, host, INTERVAL_MS))));
  const waits = (await take('source.example')).sort((a, b) => a - b);
  const positions = waits.map((wait) => Math.round(wait / INTERVAL_MS));
  expect(positions).toEqual(Array.from({ length: SLOTS }, (_, index) => index));
  expect(await reserveSlot(pools[0] as Pool, 'other.example', INTERVAL_MS)).toBe(0);
});
