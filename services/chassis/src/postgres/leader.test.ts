import { randomInt } from 'node:crypto';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createLogger } from '../telemetry/log.ts';
import { asLeader, takeLead } from './leader.ts';
import { createPool, type Pool } from './pool.ts';

function createTestPool(): Pool {
  const pool = createPool({
    connectionString: inject('postgresUrl'),
    max: 2,
    applicationName: 'leader test',
    logger: createLogger('test', 'silent'),
  });
  onTestFinished(() => pool.end());
  return pool;
}

test('of two processes one leads, and the other does when the first has ended', async () => {
  const [one, other] = [createTestPool(), createTestPool()];
  const lock = BigInt(randomInt(2 ** 40));
  const lead = await takeLead(one, lock);
  expect(await lead?.holds()).toBe(true);
  expect(await takeLead(other, lock)).toBeUndefined();
  await lead?.[Symbol.asyncDispose]();
  await expect.poll(async () => (await tried(takeLead(other, lock))) !== undefined).toBe(true);
});

test('a lead whose session was ended does not hold', async () => {
  const [one, other] = [createTestPool(), createTestPool()];
  const lock = BigInt(randomInt(2 ** 40));
  const lead = await takeLead(one, lock);
  await other.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and (classid::bigint << 32) | objid::bigint = $1`,
    [lock],
  );
  expect(await lead?.holds()).toBe(false);
  await lead?.[Symbol.asyncDispose]();
});

test('work runs as the leader or not at all, and the lead is given back when the work fails', async () => {
  const [one, other] = [createTestPool(), createTestPool()];
  const lock = BigInt(randomInt(2 ** 40));
  const done: string[] = [];
  await asLeader(one, lock, async () => {
    done.push('one');
    expect(await asLeader(other, lock, async () => void done.push('other'))).toBe(false);
  });
  const failing = asLeader(one, lock, async () => Promise.reject(new Error('on purpose')));
  await expect(failing).rejects.toThrow('on purpose');
  expect(await asLeader(other, lock, async () => void done.push('after'))).toBe(true);
  expect(done).toEqual(['one', 'after']);
});

async function tried<T extends AsyncDisposable>(taken: Promise<T | undefined>): Promise<T | undefined> {
  const lead = await taken;
  await lead?.[Symbol.asyncDispose]();
  return lead;
}
