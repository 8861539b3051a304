import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DATABASE_SERVICES, REPOSITORY } from '@ces/topology/services';
import { git, isAfterBaseline, MODULES, unpackTree } from '../../support/old-tree.ts';

/**
 * Uses today's migration runner, because the migration files use directives unknown to older code.
 */
const MIGRATOR = 'services/chassis/src/postgres/migrate.ts';

const asked = process.argv.slice(2);
const services = DATABASE_SERVICES.filter(({ name }) => asked.length === 0 || asked.includes(name));
for (const service of services) {
  const passed = await tryOldCode(service.folder);
  if (!passed) process.exitCode = 1;
}

/**
 * During an upgrade and after a rollback, old code runs on the new schema. This runs the old code's
 * own tests with today's migrations, for the code before each of the last two commits that added
 * migrations.
 */
async function tryOldCode(folder: string): Promise<boolean> {
  const migrations = path.join(folder, 'migrations');
  const files = (await git('ls-files', migrations))
    .split('\n')
    .filter((file) => file.endsWith('.sql'))
    .sort();
  const commits = await commitsThatAdded(files);
  if (commits.length === 0) return say(folder, 'SKIPPED: the history has no code from before a migration', true);
  let passed = true;
  for (const commit of commits) passed = (await tryCommit(commit, folder, files)) && passed;
  return passed;
}

/** The last two commits that added one of `files` after the baseline, oldest first. */
async function commitsThatAdded(files: readonly string[]): Promise<string[]> {
  const later = files.filter(isAfterBaseline);
  const added = await Promise.all(later.map((file) => git('log', '--diff-filter=A', '--format=%H', '-1', '--', file)));
  return [...new Set(added.filter((commit) => commit !== ''))].slice(-2);
}

async function tryCommit(commit: string, folder: string, files: readonly string[]): Promise<boolean> {
  const root = await mkdtemp(path.join(os.tmpdir(), 'ces-old-code-'));
  try {
    await unpackTree(`${commit}^`, root);
    await rm(path.join(root, folder, 'migrations'), { recursive: true });
    await mkdir(path.join(root, folder, 'migrations'));
    for (const file of files) await cp(path.join(REPOSITORY, file), path.join(root, file));
    await writeFile(path.join(root, MIGRATOR), `export * from '${path.join(REPOSITORY, MIGRATOR)}';\n`);
    const passed = await runTests(root, folder);
    return say(folder, `code before ${commit.slice(0, 8)} on the schema of today`, passed);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function runTests(root: string, folder: string): Promise<boolean> {
  const vitest = path.join(MODULES, 'vitest/vitest.mjs');
  // Speed does not matter here.
  const parameters = [vitest, 'run', `${folder}/`, '--testTimeout=180000', '--hookTimeout=180000'];
  const child = spawn(process.execPath, parameters, { cwd: root, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code === 0;
}

function say(folder: string, what: string, passed: boolean): boolean {
  process.stdout.write(`${folder}: ${what}: ${passed ? 'well' : 'BROKEN'}\n`);
  return passed;
}
