// @module-tag nightly
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dataDirectory } from '../state/data-directory.ts';
import { findRunningStack } from '../state/stack-lock.ts';
import { type Stack, startStack } from './stack.ts';

const TIMEOUT_MS = 120_000;

let directory: string;
let lines: string[];
const running: Stack[] = [];

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ces-stack-'));
  lines = [];
});

afterEach(async () => {
  for (const stack of running.splice(0)) await stack[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
}, TIMEOUT_MS);

test('a stack is ready when it says so, and the next one over its data keeps the API keys', {
  timeout: TIMEOUT_MS,
}, async () => {
  const first = await start();
  const { credentials, pids } = first.ready;
  expect(JSON.parse(await readFile(path.join(directory, 'ready.json'), 'utf8'))).toEqual(first.ready);
  expect((await stat(path.join(directory, 'ready.json'))).mode & 0o777).toBe(0o600);
  for (const name of ['builder', 'professional'] as const)
    expect((await usage(first, credentials[name])).subscription.plan).toBe(name);
  expect(credentials.sandbox).toMatch(/^ces_test_/);
  await expect(start()).rejects.toThrow(/a stack already runs in .*npm run stop/);

  await first[Symbol.asyncDispose]();
  expect(Object.values(pids).filter((pid) => pid !== process.pid && isAlive(pid))).toEqual([]);
  expect(await findRunningStack(dataDirectory(directory))).toBeUndefined();

  const second = await start();
  expect(second.ready.credentials).toEqual(credentials);
  expect((await usage(second, credentials.builder)).usage.request_units).toBe(0);
});

test('a service that is killed comes back at its address', { timeout: TIMEOUT_MS }, async () => {
  const stack = await start();
  const { pids, credentials } = stack.ready;
  process.kill(pids.ledger ?? 0, 'SIGKILL');
  await expect.poll(() => stack.ready.pids.ledger).not.toBe(pids.ledger);
  await expect.poll(async () => (await usage(stack, credentials.builder)).subscription?.plan).toBe('builder');
  expect(lines).toContain('ledger ended by itself (code -1); it is started again');
});

test('a start that fails leaves nothing running and the API keys where they were', {
  timeout: TIMEOUT_MS,
}, async () => {
  const first = await start();
  const ready = await readFile(path.join(directory, 'ready.json'), 'utf8');
  await first[Symbol.asyncDispose]();
  await expect(start({ CES_LEDGER_PEPPERS: 'nonsense' })).rejects.toThrow(/^ledger: CES_LEDGER_PEPPERS /);
  expect(await readFile(path.join(directory, 'ready.json'), 'utf8')).toBe(ready);
  expect(await findRunningStack(dataDirectory(directory))).toBeUndefined();
});

test('a fresh start that is refused has thrown nothing away', { timeout: TIMEOUT_MS }, async () => {
  const secrets = path.join(directory, 'secrets.json');
  await writeFile(secrets, 'kept');
  await using holder = net.createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port } = holder.address() as AddressInfo;
  await expect(startStack({ dataDirectory: directory, port, fresh: true })).rejects.toThrow(`port ${port} is in use`);
  expect(await readFile(secrets, 'utf8')).toBe('kept');
});

async function start(env: NodeJS.ProcessEnv = {}): Promise<Stack> {
  const say = (line: string) => void lines.push(line);
  const stack = await startStack({ dataDirectory: directory, port: 0, sample: false, env, say });
  running.push(stack);
  return stack;
}

async function usage(stack: Stack, apiKey: string) {
  const response = await fetch(`${stack.ready.base_url}/api/usage`, { headers: { authorization: `Bearer ${apiKey}` } });
  return (await response.json()) as { subscription: { plan: string }; usage: { request_units: number } };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
