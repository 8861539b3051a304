import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Block } from './blocks.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const MARK = '\u001e';
const LIMIT_MS = 60_000;
const PROGRAMS: Readonly<Record<string, { readonly command: string; readonly ending: string }>> = {
  ts: { command: 'node', ending: 'ts' },
  python: { command: '"$CES_PYTHON"', ending: 'py' },
};

/**
 * Runs the blocks in sequence in one shell, so that later blocks see variables and files of earlier
 * ones. Resolves with each block's output. Rejects with the standard error of a block that fails.
 */
export async function runBlocks(
  blocks: readonly Block[],
  variables: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const parent = path.join(ROOT, '.cache');
  await mkdir(parent, { recursive: true });
  // Inside the repository, so that `npx` and imports resolve its packages.
  const folder = await mkdtemp(path.join(parent, 'guide-'));
  try {
    await symlink(path.join(ROOT, 'proto/gen'), path.join(folder, 'gen'));
    const commands = await Promise.all(blocks.map((block, index) => commandOf(block, folder, index)));
    const script = commands.join(`\nprintf '${MARK}'\n`);
    const { stdout } = await promisify(execFile)('bash', ['-euc', script], {
      cwd: folder,
      env: { ...process.env, ...variables },
      timeout: LIMIT_MS,
    });
    return stdout.split(MARK);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function commandOf({ language, code, line }: Block, folder: string, index: number): Promise<string> {
  if (language === 'sh') return code;
  const program = PROGRAMS[language];
  if (program === undefined) throw new Error(`line ${line}: nothing here runs ${language}`);
  const file = path.join(folder, `block-${index}.${program.ending}`);
  await writeFile(file, code);
  return `${program.command} ${file}`;
}
