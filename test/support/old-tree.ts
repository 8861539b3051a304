import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { DATABASE_SERVICES, REPOSITORY } from '@ces/topology/services';

const execute = promisify(execFile);
const OUTPUT_BYTES = 64 * 1024 * 1024;
const MODULES = path.join(REPOSITORY, 'node_modules');
const BASELINE = '0001_baseline.sql';
const EXPLORER = 'gateway/explorer';

/**
 * Unpacks the tree of a commit. Links the current packages and built pages, and generates code from
 * the commit's own protos.
 */
export async function unpackTree(commit: string, root: string): Promise<void> {
  const archive = path.join(root, 'tree.tar');
  await git('archive', '--output', archive, commit);
  await execute('tar', ['-xf', archive, '-C', root]);
  await mkdir(path.join(root, 'node_modules/@ces'), { recursive: true });
  for (const entry of await readdir(MODULES))
    if (entry !== '@ces') await symlink(path.join(MODULES, entry), path.join(root, 'node_modules', entry));
  for (const [name, folder] of await workspaces(root)) await symlink(folder, path.join(root, 'node_modules', name));
  await execute(process.execPath, [path.join(MODULES, '@bufbuild/buf/bin/buf'), 'generate'], {
    cwd: root,
    env: { ...process.env, PATH: `${path.join(MODULES, '.bin')}:${process.env.PATH}` },
  });
  // A gateway does not start without its pages. No drill opens them.
  if (existsSync(path.join(root, EXPLORER)))
    await symlink(path.join(REPOSITORY, EXPLORER, 'dist'), path.join(root, EXPLORER, 'dist'));
}

async function workspaces(root: string): Promise<[string, string][]> {
  const { stdout } = await execute('git', ['-C', REPOSITORY, 'ls-files', '*package.json']);
  const folders = stdout.split('\n').map((file) => path.dirname(file));
  const found: [string, string][] = [];
  for (const folder of folders) {
    const file = path.join(root, folder, 'package.json');
    const description: { default: { name: string } } | undefined = await import(file, { with: { type: 'json' } }).catch(
      () => undefined,
    );
    if (description?.default.name.startsWith('@ces/')) found.push([description.default.name, path.join(root, folder)]);
  }
  return found;
}

/** The last commit that added a migration after a baseline. Undefined if only baselines exist. */
export async function lastMigratingCommit(): Promise<string | undefined> {
  const folders = DATABASE_SERVICES.map(({ folder }) => `${folder}/migrations`);
  const files = (await git('ls-files', '--', ...folders)).split('\n').filter(isAfterBaseline);
  return files.length === 0 ? undefined : await git('log', '-1', '--diff-filter=A', '--format=%H', '--', ...files);
}

/**
 * Whether a migration extends a baseline. Code from before a baseline does not run on later
 * schemas.
 */
function isAfterBaseline(file: string): boolean {
  return file.endsWith('.sql') && path.basename(file) !== BASELINE;
}

async function git(...parameters: string[]): Promise<string> {
  const { stdout } = await execute('git', ['-C', REPOSITORY, ...parameters], { maxBuffer: OUTPUT_BYTES });
  return stdout.trim();
}
