// Entry point of npm's scripts for users and operators (see PROGRAMS), in JavaScript for a bare
// Node 20. It installs packages, generates code, builds the explorer and starts the program with
// Node 24 from npm.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildExplorer, isBuilt } from './explorer.mjs';
import { generate, isGenerated } from './generate.mjs';
import { install, isInstalled } from './install.mjs';
import { withLock } from './lock.mjs';
import { checkMachine, findNode } from './node.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const PROGRAMS = {
  start: ['deploy/local/src/commands/start.ts'],
  stop: ['deploy/local/src/commands/stop.ts'],
  backup: ['deploy/local/src/commands/backup.ts'],
  restore: ['deploy/local/src/commands/restore.ts'],
  test: ['node_modules/vitest/vitest.mjs', 'run'],
  secrets: ['deploy/chart/src/secrets/main.ts'],
  release: ['deploy/image/publish/main.ts'],
  lab: ['test/lab/main.ts'],
  prepare: [],
};

main(process.argv[2] ?? '', process.argv.slice(3)).catch((error) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
});

async function main(task, rest) {
  const program = PROGRAMS[task];
  if (!program) throw new Error(`usage: node run.mjs ${Object.keys(PROGRAMS).join('|')} [arguments]`);
  checkMachine(task);
  if (!isInstalled(ROOT) || !isGenerated(ROOT) || !isBuilt(ROOT))
    await withLock(path.join(ROOT, '.cache/prepare.lock'), 'another process is installing', async () => {
      await install(ROOT);
      const node = await findNode(ROOT);
      await generate(ROOT, node);
      await buildExplorer(ROOT, node);
    });
  if (program.length > 0) process.exitCode = await handOver(await findNode(ROOT), [...program, ...rest]);
}

/**
 * Runs a program until it exits and forwards signals. The IPC channel lets it notice that this
 * process was killed.
 */
function handOver(node, parameters) {
  const PATH = [path.join(ROOT, 'node_modules/.bin'), process.env.PATH].join(path.delimiter);
  const child = spawn(node, parameters, {
    cwd: ROOT,
    env: { NODE_COMPILE_CACHE: path.join(ROOT, '.cache/compiled'), ...process.env, PATH },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  if (process.env.npm_lifecycle_event) onParentGone(() => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

/** A killed npm forwards no signal, so this polls for a new parent. */
function onParentGone(end) {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && end(), 1_000).unref();
}
