import { createPool, inTransaction, type Pool } from '@ces/chassis/postgres/pool';
import { createLogger } from '@ces/chassis/telemetry/log';
import { createTestDatabase, type TestDatabase } from '@ces/test/support/database.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { skipOperationNumbers } from './number.ts';

let database: TestDatabase;
let owner: Pool;
let pool: Pool;

beforeAll(async () => {
  database = await createTestDatabase('operations');
  const connect = (connectionString: string) =>
    createPool({ connectionString, max: 8, applicationName: 'test', logger: createLogger('test', 'silent') });
  [owner, pool] = [connect(database.ownerUrl), connect(database.url)];
});
afterAll(async () => {
  await pool.end();
  await owner.end();
  await database[Symbol.asyncDispose]();
});

async function nextNumber(): Promise<bigint> {
  return await inTransaction(owner, async (client) => {
    await client.query('lock table operation in row exclusive mode');
    const { rows } = await client.query<{ id: bigint }>(`select nextval('operation_id_seq') as id`);
    return rows[0]?.id ?? 0n;
  });
}

test('numbers are skipped up to a bound, and never reused', async () => {
  expect(await skipOperationNumbers(pool, 0n)).toBe(false);
  expect(await skipOperationNumbers(pool, 1n)).toBe(true);
  expect(await nextNumber()).toBe(2n);
  expect(await skipOperationNumbers(pool, 50n)).toBe(true);
  for (const upTo of [50n, 49n, 1n]) expect(await skipOperationNumbers(pool, upTo)).toBe(false);
  expect(await nextNumber()).toBe(51n);
});

test('while many skip and many take numbers, none is given twice and none that was skipped', async () => {
  const taken: bigint[] = [];
  const take = async () => {
    for (let made = 0; made < 150; made += 1) taken.push(await nextNumber());
  };
  const skip = async (ahead: bigint) => {
    for (let round = 0; round < 40; round += 1) {
      const upTo = (await nextNumber()) + ahead;
      await skipOperationNumbers(pool, upTo);
      expect(await nextNumber()).toBeGreaterThan(upTo);
    }
  };
  await Promise.all([take(), take(), take(), skip(1n), skip(3n), skip(10n)]);
  expect(new Set(taken).size).toBe(taken.length);
});
