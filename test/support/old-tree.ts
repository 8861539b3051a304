import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { DATABASE_SERVICES, REPOSITORY } from '@ces/topology/services';

const execute = promisify(execFile);
const OUTPUT_BYTES = 64 * 1024 * 1024;
export const MODULES = path.join(REPOSITORY, 'node_modules');
const EXPLORER = 'gateway/explorer';

/** The tree of a commit, with the packages and the built pages of this one and code from its own contracts. */
export async function unpackTree(commit: string, place: string): Promise<void> {
  const archive = path.join(place, 'tree.tar');
  await git('archive', '--output', archive, commit);
  await execute('tar', ['-xf', archive, '-C', place]);
  await mkdir(path.join(place, 'node_modules/@ces'), { recursive: true });
  for (const entry of await readdir(MODULES))
    if (entry !== '@ces') await symlink(path.join(MODULES, entry), path.join(place, 'node_modules', entry));
  for (const [name, folder] of await workspaces(place)) await symlink(folder, path.join(place, 'node_modules', name));
  await execute(process.execPath, [path.join(MODULES, '@bufbuild/buf/bin/buf'), 'generate'], {
    cwd: place,
    env: { ...process.env, PATH: `${path.join(MODULES, '.bin')}:${process.env.PATH}` },
  });
  // A gateway does not start without its pages; no drill looks at them.
  if (existsSync(path.join(place, EXPLORER)))
    await symlink(path.join(REPOSITORY, EXPLORER, 'dist'), path.join(place, EXPLORER, 'dist'));
}

/** Folders of the packages in a tree, by name. */
async function workspaces(place: string): Promise<[string, string][]> {
  const { stdout } = await execute('git', ['-C', REPOSITORY, 'ls-files', '*package.json']);
  const folders = stdout.split('\n').map((file) => path.dirname(file));
  const found: [string, string][] = [];
  for (const folder of folders) {
    const file = path.join(place, folder, 'package.json');
    const description: { default: { name: string } } | undefined = await import(file, { with: { type: 'json' } }).catch(
      () => undefined,
    );
    if (description?.default.name.startsWith('@ces/')) found.push([description.default.name, path.join(place, folder)]);
  }
  return found;
}

/** The last commit that added a migration to others; undefined where the history has none. */
export async function lastMigratingCommit(): Promise<string | undefined> {
  const folders = DATABASE_SERVICES.map(({ folder }) => `${folder}/migrations`);
  const log = await git('log', '--diff-filter=A', '--format=%H', '--', ...folders);
  const [last] = log.split('\n');
  const isFirst = log.split('\n').length < 2;
  return isFirst ? undefined : last;
}

/** What git says of this repository. */
export async function git(...parameters: string[]): Promise<string> {
  const { stdout } = await execute('git', ['-C', REPOSITORY, ...parameters], { maxBuffer: OUTPUT_BYTES });
  return stdout.trim();
}
