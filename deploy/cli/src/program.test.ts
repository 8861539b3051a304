import { PassThrough } from 'node:stream';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { ces, startFakeStack } from '../test-support/fake-stack.ts';
import { createProgram } from './program.ts';

const SILENT = { stdout: new PassThrough(), stderr: new PassThrough() };
const NOWHERE = { CES_DATA_DIR: '/nonexistent', CES_RPC_TOKEN: 'x' };

async function allVerbs(): Promise<Command[]> {
  const program = await createProgram(() => () => async () => undefined, SILENT);
  const visible = program
    .createHelp()
    .visibleCommands(program)
    .filter((command) => command.name() !== 'help');
  return visible.flatMap((command) => (command.commands.length > 0 ? [...command.commands] : [command]));
}

function pathOf(verb: Command): string[] {
  return verb.parent ? [...pathOf(verb.parent), verb.name()].filter((name) => name !== 'ces') : [];
}

test.each((await allVerbs()).map((verb) => [pathOf(verb).join(' ')]))(
  'every example in the help of `ces %s` is a command line that parses',
  async (name) => {
    const { exitCode, stdout } = await ces([...name.split(' '), '--help'], {});
    expect(exitCode).toBe(0);
    const examples = stdout.split('\n').filter((line) => line.startsWith('  npx ces '));
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      let ran = 0;
      const count = () => {
        ran += 1;
      };
      const program = await createProgram(() => () => async () => count(), SILENT);
      await program.parseAsync(words(example.replace('  npx ces ', '')), { from: 'user' });
      expect(ran, example).toBe(1);
    }
  },
);

test('--version displays the version, without a stack', async () => {
  const { exitCode, stdout } = await ces(['--version'], { CES_DATA_DIR: '/nonexistent' });
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
});

test('`ces help` and `ces help search` show what --help shows, with one default for each option', async () => {
  for (const verb of [[], ['search'], ['account', 'create'], ['watch']]) {
    const [asked, shown] = [await ces(['help', ...verb], NOWHERE), await ces([...verb, '--help'], NOWHERE)];
    expect(asked).toMatchObject({ exitCode: 0, stdout: shown.stdout });
    expect(shown.stdout).not.toMatch(/\(default:[^)]*\)\s+\(default:/);
  }
});

test('a command line that cannot be meant ends with exit code 2 and one sentence', async () => {
  for (const argv of [
    ['nonsense'],
    ['account', 'create'],
    ['api-key', 'issue', 'one'],
    ['subscription', 'show', '--limit', '3'],
  ]) {
    const { exitCode, stderr, stdout } = await ces(argv, NOWHERE);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^error: /);
    expect(stdout).toBe('');
  }
});

test('without a stack a command says how to get one and ends with exit code 1', async () => {
  const { exitCode, stderr, stdout } = await ces(['account', 'list', '--json'], { CES_DATA_DIR: '/nonexistent' });
  expect(exitCode).toBe(1);
  expect(stderr).toBe('ces: No stack was found in /nonexistent: start one with npm start, or set CES_LEDGER_URL.\n');
  expect(JSON.parse(stdout)).toEqual({ error: { code: 'refused', message: stderr.slice(5, -1) } });
});

test('a service that does not answer is named with what to do', async () => {
  const { exitCode, stderr } = await ces(['account', 'list'], { ...NOWHERE, CES_LEDGER_URL: 'http://127.0.0.1:9' });
  expect(exitCode).toBe(1);
  expect(stderr).toBe('ces: ledger does not answer: start the stack with npm start, or check CES_LEDGER_URL.\n');
});

test('a setting that is wrong is named', async () => {
  const { exitCode, stderr } = await ces(['account', 'list'], { CES_LEDGER_URL: 'nine' });
  expect(exitCode).toBe(1);
  expect(stderr).toContain('CES_LEDGER_URL must be an address');
});

test('text from others cannot control the terminal of the reader', async () => {
  const label = 'a\u001b]0;owned\u0007\u001b[2J\u009b2J\u202eb';
  await using stack = await startFakeStack({
    ledger: (router) => {
      router.service(LedgerAdminService, {
        listCredentials: () => ({ credentials: [{ id: 1n, accountId: 1n, label }] }),
        revokeCredential: () => {
          throw fail(FailureCode.NOT_FOUND, `There is no ${label}.`);
        },
      });
    },
  });
  const controls = /[^\P{Cc}\n]|\p{Cf}/u;
  const { stdout } = await ces(['api-key', 'list'], stack.env);
  expect(stdout).toContain('a]0;owned[2J2Jb');
  expect(stdout).not.toMatch(controls);
  expect((await ces(['api-key', 'revoke', '1'], stack.env)).stderr).not.toMatch(controls);
  const listed = await ces(['api-key', 'list', '--json'], stack.env);
  expect(listed.stdout).not.toMatch(/[^\P{Cc}\n]/u);
  expect(JSON.stringify(listed.json())).toContain(JSON.stringify(label).slice(1, -1));
});

function words(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
}
