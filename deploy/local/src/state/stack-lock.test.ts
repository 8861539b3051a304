import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DataDirectory, dataDirectory } from './data-directory.ts';
import { findRunningStack, lockStack } from './stack-lock.ts';

let data: DataDirectory;

beforeEach(async () => {
  data = dataDirectory(await mkdtemp(path.join(os.tmpdir(), 'ces-lock-')));
});

afterEach(async () => {
  await rm(data.path, { recursive: true, force: true });
});

test('one stack runs in a directory at a time', async () => {
  const lock = await lockStack(data);
  await expect(lockStack(data)).rejects.toThrow(`process ${process.pid}`);
  await lock[Symbol.asyncDispose]();
  await using _next = await lockStack(data);
});

test('a lock of a process whose number another one has by now counts for nothing', async () => {
  await writeFile(data.lockFile, JSON.stringify({ pid: process.pid, since: '1' }));
  expect(await findRunningStack(data)).toBeUndefined();
  await using _lock = await lockStack(data);
});

test('half a lock counts for nothing', async () => {
  await writeFile(data.lockFile, '{"pid": ');
  await using _lock = await lockStack(data);
});

test('a stack notices that its directory was removed, and keeps the lock of the next stack', async () => {
  const lock = await lockStack(data);
  await writeFile(data.lockFile, '{"pid": 1}');
  await expect.poll(() => lock.lost.aborted).toBe(true);
  await lock[Symbol.asyncDispose]();
  expect(await readFile(data.lockFile, 'utf8')).toBe('{"pid": 1}');
});
