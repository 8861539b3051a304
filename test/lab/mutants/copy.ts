import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '@ces/topology/services';

const run = promisify(execFile);

/** What is made from the tree, and git does not list. */
const MADE = ['proto/gen', 'gateway/explorer/dist'];

/** A copy of the tree as it stands, generated code included, that may be broken. Packages are those of the original. */
export async function copyTree(): Promise<{ readonly directory: string } & AsyncDisposable> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'ces-mutants-'));
  await chmod(directory, 0o711);
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: REPOSITORY,
    maxBuffer: 16 * 1024 * 1024,
  });
  for (const file of [...stdout.split('\0').filter(Boolean), ...MADE])
    await cp(path.join(REPOSITORY, file), path.join(directory, file), { recursive: true }).catch(ignoreMissing);
  await linkPackages(path.join(REPOSITORY, 'node_modules'), path.join(directory, 'node_modules'));
  await symlink(path.join(REPOSITORY, '.cache'), path.join(directory, '.cache'));
  return {
    directory,
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}

/** Links to every package but our own: those lead into the copy. */
async function linkPackages(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const name of await readdir(from)) {
    if (name === '@ces')
      await cp(path.join(from, name), path.join(to, name), { recursive: true, verbatimSymlinks: true });
    else if (!name.startsWith('.') || name === '.bin') await symlink(path.join(from, name), path.join(to, name));
  }
}

/** A file that somebody deleted but git still lists. */
function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
