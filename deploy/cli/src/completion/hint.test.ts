import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startFakeGateway } from '../../test-support/fake-gateway.ts';
import { ces } from '../../test-support/fake-stack.ts';
import { openTerminal } from '../../test-support/terminal.ts';

const EMPTY = { status: 200, body: { usages: [], next_cursor: null } };
const TIP = 'Tip, shown once: "source <(npx ces completion zsh)" completes commands and makes them faster.\n';
let home: string;

beforeEach(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), 'ces-hint-'));
});
afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

async function saidBy(more: NodeJS.ProcessEnv = {}, argv = ['usages'], terminal = true): Promise<string> {
  await using gateway = await startFakeGateway(() => EMPTY);
  const env = { CES_GATEWAY_URL: gateway.url, CES_TOKEN: 'x', CES_DATA_DIR: '/nonexistent', SHELL: '/bin/zsh' };
  return (await ces(argv, { ...env, HOME: home, ...more }, terminal ? openTerminal() : {})).stderr;
}

test('a person at a terminal hears of completion once', async () => {
  expect(await saidBy()).toBe(TIP);
  expect(await saidBy()).toBe('');
});

test('programs, other shells and those who have the script do not', async () => {
  expect(await saidBy({}, ['usages'], false)).toBe('');
  expect(await saidBy({ CI: 'true' })).toBe('');
  expect(await saidBy({ SHELL: '/bin/dash' })).toBe('');
  await saidBy({}, ['completion', 'bash'], false);
  expect(await saidBy()).toBe('');
});

test('a tip that cannot be remembered is not given', async () => {
  expect(await saidBy({ HOME: '/dev/null' })).toBe('');
  expect(await saidBy({ HOME: undefined })).toBe('');
});
