import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ces } from '../../test-support/fake-stack.ts';

const execute = promisify(execFile);
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ces-completion-'));
  await writeFile(path.join(directory, 'ready.json'), JSON.stringify({ credentials: { builder: 'b', sandbox: 's' } }));
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { stdout } = await ces(['completion', shell], {});
    await writeFile(path.join(directory, `ces.${shell}`), stdout);
  }
});

afterAll(async () => await rm(directory, { recursive: true, force: true }));

async function candidates(...words: string[]): Promise<string[]> {
  const { stdout } = await ces(['complete', '--', ...words], { CES_DATA_DIR: directory });
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : (line.split('\t')[0] ?? '')));
}

test('verbs are completed, in groups too, and those that no person calls are not', async () => {
  expect(await candidates('s')).toEqual(['search', 'statement', 'subscription', 'source']);
  expect(await candidates('api-key', '')).toEqual(['issue', 'list', 'rotate', 'revoke']);
  expect(await candidates('compl')).toEqual(['completion']);
});

test('options are completed, and their values where there is a list of them', async () => {
  expect(await candidates('search', '--exclude')).toEqual(['--exclude-company-id', '--exclude-domain']);
  expect(await candidates('search', 'plants', '--kind', 'f')).toEqual(['facility_expansion']);
  expect(await candidates('search', '--country', '')).toEqual(['CA', 'US']);
  expect(await candidates('subscription', 'create', '1', '--plan', '')).toEqual(['builder', 'professional']);
  expect(await candidates('after-restore', 'ledger', 'l')).toEqual(['ledger', 'lookup']);
  expect(await candidates('search', '--limit', '')).toEqual([]);
});

test('the names of --as are the accounts of the local stack', async () => {
  expect(await candidates('usage', '--as', '')).toEqual(['builder', 'sandbox']);
});

test('the shell completes file arguments with files, and nothing after -- is an option', async () => {
  expect(await candidates('import', './c')).toEqual([':files']);
  expect(await candidates('trace', '--file', '')).toEqual([':files']);
  expect(await candidates('search', '--', '-')).toEqual([]);
});

const SHELLS: Readonly<Record<string, (line: readonly string[]) => string>> = {
  bash: (line) => `source ./ces.bash && source ./ces.bash
    COMP_WORDS=(${line.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${line.length - 1}
    compopt() { echo "compopt $*"; }
    _ces_complete; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: (line) => `source ./ces.zsh && source ./ces.zsh
    words=(${line.map((word) => `'${word}'`).join(' ')}); CURRENT=${line.length}
    _files() { echo files }; _describe() { print -l -- "\${(@P)2}" }
    _ces_complete`,
  fish: (line) => `source ./ces.fish; and source ./ces.fish; complete -C '${line.join(' ')}'`,
};

async function offeredBy(shell: string, ...line: string[]): Promise<string> {
  const script = SHELLS[shell]?.(line) ?? '';
  const options = { cwd: directory, env: { ...process.env, CES_DATA_DIR: directory, HOME: directory } };
  return (await execute(shell, ['-c', script], options)).stdout;
}

async function isInstalled(shell: string): Promise<boolean> {
  return await execute(shell, ['-c', 'true']).then(
    () => true,
    () => false,
  );
}

for (const shell of Object.keys(SHELLS))
  test.skipIf(shell !== 'bash' && !(await isInstalled(shell)))(
    `${shell} offers what fits when it has sourced the script, which may be sourced twice`,
    async () => {
      expect(await offeredBy(shell, 'ces', 'us')).toMatch(/^usage\b/m);
      expect(await offeredBy(shell, 'ces', 'usage', '--as', 'b')).toMatch(/^builder\b/m);
      expect(await offeredBy(shell, 'ces', 'search', 'x', '--country', '')).toMatch(/^CA[\s\S]*^US/m);
      expect(await offeredBy(shell, 'ces', 'trace', '--file', './c')).toMatch(
        /^(compopt -o default|files|\.\/ces\.fish)$/m,
      );
      // Completion must never execute the words of the command line.
      await offeredBy(shell, 'ces', 'search', '$(touch ran)', '');
      expect(existsSync(path.join(directory, 'ran'))).toBe(false);
    },
  );
