import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withLock } from './lock.mjs';

const NO_PROCESS = 2 ** 22 + 1;

let directory: string;
let lock: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ces-once-'));
  lock = path.join(directory, 'made', 'lock');
});

afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

test('two callers of the lock run one after the other', async () => {
  const events: string[] = [];
  const first = Promise.withResolvers<void>();
  const one = withLock(lock, 'waiting', async () => {
    events.push('first begins');
    await first.promise;
    events.push('first ends');
  });
  const two = withLock(lock, 'waiting', async () => void events.push('second'));
  first.resolve();
  await Promise.all([one, two]);
  expect(events).toEqual(['first begins', 'first ends', 'second']);
});

test('a lock whose owner is gone is taken over', async () => {
  await withLock(lock, 'waiting', async () => undefined);
  await writeFile(lock, String(NO_PROCESS));
  expect(await withLock(lock, 'waiting', async () => 'done')).toBe('done');
});

test('a failure gives the lock back', async () => {
  await expect(withLock(lock, 'waiting', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await withLock(lock, 'waiting', async () => 'done')).toBe('done');
});
