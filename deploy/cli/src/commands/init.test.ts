import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ces, type FakeStack, startFakeStack } from '../../test-support/fake-stack.ts';
import { openTerminal } from '../../test-support/terminal.ts';

const TOKEN = 'ces_live_secret';
let directory: string;
let stack: FakeStack;
let asked: Record<string, unknown>[];
let isLedgerWithoutKeys: boolean;

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ces-init-'));
  asked = [];
  isLedgerWithoutKeys = false;
  stack = await startFakeStack({
    ledger: (router) =>
      router.service(LedgerAdminService, {
        createAccount: ({ name, testMode }) => {
          asked.push({ name, testMode });
          return { account: { id: 4n, name, testMode } };
        },
        createSubscription: ({ accountId, plan }) => {
          asked.push({ plan });
          return { subscription: { id: 6n, accountId, plan } };
        },
        issueCredential: ({ accountId }) => {
          if (isLedgerWithoutKeys) throw fail(FailureCode.SERVICE_UNAVAILABLE, 'The ledger rests.');
          return { credential: { id: 9n, accountId }, token: TOKEN };
        },
      }),
  });
});

afterEach(async () => {
  await stack[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

test('four questions are asked with defaults shown, and the key is stored in a file that only its owner can read', async () => {
  const terminal = openTerminal();
  const file = path.join(directory, 'my.key');
  const answering = (async () => {
    await terminal.answer('Name of the account?', 'Acme\r');
    await terminal.answer('Which plan?', '\u001b[B\r');
    await terminal.answer('Which key?', '\r');
  })();
  const outcome = await ces(['init', '--key-file', file], stack.env, terminal);
  await answering;
  expect(outcome.exitCode).toBe(0);
  expect(asked).toEqual([{ name: 'Acme', testMode: false }, { plan: 'professional' }]);
  expect(await readFile(file, 'utf8')).toBe(`${TOKEN}\n`);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(outcome.stdout).toContain(`export CES_TOKEN=$(cat ${file})`);
  expect(outcome.stdout + outcome.stderr).not.toContain(TOKEN);
});

test('the fourth question is where the key goes, and on the screen it is shown once', async () => {
  const terminal = openTerminal();
  const answering = terminal.answer('Where should the key go?', '\u001b[B\r');
  const given = ['--name', 'Acme', '--plan', 'builder', '--mode', 'test'];
  const { stdout } = await ces(['init', ...given], stack.env, terminal);
  await answering;
  expect(asked).toEqual([{ name: 'Acme', testMode: true }, { plan: 'builder' }]);
  expect(stdout.split(TOKEN)).toHaveLength(2);
});

test('a question that is cancelled makes nothing', async () => {
  const terminal = openTerminal();
  const answering = terminal.answer('Name of the account?', '\u0003');
  const { exitCode, stderr } = await ces(['init'], stack.env, terminal);
  await answering;
  expect([exitCode, asked]).toEqual([1, []]);
  expect(stderr).toContain('ces: Cancelled. Nothing was changed.\n');
});

test('scripts answer with options, and --yes takes what is usual', async () => {
  const { exitCode, json } = await ces(['init', '--yes', '--print', '--json'], stack.env);
  expect(exitCode).toBe(0);
  expect(json()).toEqual({
    ...{ account: 4, subscription: 6, key: 9, name: 'My company', plan: 'builder', mode: 'live', token: TOKEN },
  });
});

test('without a terminal and without answers it says what to add', async () => {
  const { exitCode, stderr } = await ces(['init', '--name', 'Acme'], stack.env);
  expect([exitCode, asked]).toEqual([2, []]);
  expect(stderr).toMatch(/^ces: There is no terminal for questions: add --yes .*\n$/);
});

test('a file that is there already is never written over, and nothing is made', async () => {
  const file = path.join(directory, 'mine');
  await writeFile(file, 'mine');
  const { exitCode, stderr } = await ces(['init', '--yes', '--key-file', file], stack.env);
  expect([exitCode, asked]).toEqual([1, []]);
  expect(stderr).toContain('choose another file with --key-file');
  expect(await readFile(file, 'utf8')).toBe('mine');
});

test('an interrupted init reports its progress and how to continue, and leaves no empty file', async () => {
  isLedgerWithoutKeys = true;
  const file = path.join(directory, 'my.key');
  const { exitCode, stderr } = await ces(['init', '--yes', '--key-file', file], stack.env);
  expect(exitCode).toBe(1);
  expect(stderr).toBe(
    'ces: Account 4 has its subscription, but no key (The ledger rests): continue with npx ces api-key issue 4.\n',
  );
  await expect(stat(file)).rejects.toThrow('ENOENT');
});
