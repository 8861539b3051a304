import { createPool, type Pool } from '@ces/chassis/postgres/pool';
import { createLogger } from '@ces/chassis/telemetry/log';
import { createTestDatabase, type TestDatabase } from '@ces/test/support/database.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { takeTurn } from './politeness.ts';

const INTERVAL_MS = 60_000;
const TURNS = 12;

let database: TestDatabase;
/** As of two processes. */
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

test('turns at a host are an interval apart, whichever process takes them, and another host does not wait', async () => {
  const take = (host: string) =>
    Promise.all(pools.flatMap((pool) => Array.from({ length: TURNS / 2 }, () => takeTurn(pool, host, INTERVAL_MS))));
  const waits = (await take('source.example')).sort((a, b) => a - b);
  const places = waits.map((wait) => Math.round(wait / INTERVAL_MS));
  expect(places).toEqual(Array.from({ length: TURNS }, (_, place) => place));
  expect(await takeTurn(pools[0] as Pool, 'other.example', INTERVAL_MS)).toBe(0);
});
