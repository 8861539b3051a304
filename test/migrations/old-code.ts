import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { DATABASE_SERVICES, REPOSITORY } from '@ces/local/services';

const execute = promisify(execFile);
const OUTPUT_BYTES = 64 * 1024 * 1024;
const MODULES = path.join(REPOSITORY, 'node_modules');

const asked = process.argv.slice(2);
const services = DATABASE_SERVICES.filter(({ name }) => asked.length === 0 || asked.includes(name));
for (const service of services) {
  const passed = await tryOldCode(service.folder);
  if (!passed) process.exitCode = 1;
}

/**
 * While pods are replaced, and after a rollback, the code before the last migration runs on the schema after it. So that
 * code's own tests of the service, from the history, run with today's migrations in place of theirs.
 */
async function tryOldCode(folder: string): Promise<boolean> {
  const migrations = path.join(folder, 'migrations');
  const files = (await git('ls-files', migrations))
    .split('\n')
    .filter((file) => file.endsWith('.sql'))
    .sort();
  const last = files.at(-1);
  if (files.length < 2 || last === undefined) return say(folder, 'has a single migration: no code is older', true);
  const added = await git('log', '--diff-filter=A', '--format=%H', '-1', '--', last);
  if (added === '') return say(folder, `SKIPPED: no history says when ${path.basename(last)} came`, true);
  const place = await mkdtemp(path.join(os.tmpdir(), 'ces-old-code-'));
  try {
    await unpack(`${added}^`, place);
    await rm(path.join(place, migrations), { recursive: true });
    await mkdir(path.join(place, migrations));
    for (const file of files) await cp(path.join(REPOSITORY, file), path.join(place, file));
    return say(folder, `code before ${path.basename(last)} on the schema after it`, await runTests(place, folder));
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** The tree of a commit, with the packages of this one and code from its own contracts. */
async function unpack(commit: string, place: string): Promise<void> {
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

async function runTests(place: string, folder: string): Promise<boolean> {
  const vitest = path.join(MODULES, 'vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', `${folder}/`], { cwd: place, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code === 0;
}

async function git(...parameters: string[]): Promise<string> {
  const { stdout } = await execute('git', ['-C', REPOSITORY, ...parameters], { maxBuffer: OUTPUT_BYTES });
  return stdout.trim();
}

function say(folder: string, what: string, passed: boolean): boolean {
  process.stdout.write(`${folder}: ${what}: ${passed ? 'well' : 'BROKEN'}\n`);
  return passed;
}
