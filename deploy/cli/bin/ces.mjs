#!/usr/bin/env node
// Entry point of `npx ces`, in JavaScript that Node 20 runs. Below Node 24 it starts the program
// with the Node that npm installed.
import { existsSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PROGRAM = path.join(ROOT, 'deploy/cli/src/main.ts');
/** Node's compile cache, shared with the services that `npm start` runs. */
const COMPILED = path.join(ROOT, '.cache/compiled');

main().catch((error) => {
  process.stderr.write(`ces: ${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
});

async function main() {
  if (!existsSync(path.join(ROOT, 'proto/gen'))) await prepare();
  const [major = 0] = process.versions.node.split('.').map(Number);
  const node = major >= 24 ? process.execPath : await installedNode();
  if (node === process.execPath) await runHere();
  else await handOver(node);
}

async function runHere() {
  module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE ?? COMPILED);
  await import(pathToFileURL(PROGRAM).href);
}

async function installedNode() {
  const { findNode } = await import('../../local/bin/node.mjs');
  return await findNode(ROOT);
}

/** Runs the program in a child process with this process' streams, signals and exit code. */
async function handOver(node) {
  const { spawn } = await import('node:child_process');
  const child = spawn(node, [PROGRAM, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { NODE_COMPILE_CACHE: COMPILED, ...process.env },
  });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  process.on('SIGINT', () => undefined);
  child.once('error', (error) => {
    process.stderr.write(`ces: ${node} cannot be run (${error.message}): run npm ci again.\n`);
    process.exit(1);
  });
  child.once('exit', (code) => process.exit(code ?? 1));
}

async function prepare() {
  const { spawnSync } = await import('node:child_process');
  const run = path.join(ROOT, 'deploy/local/bin/run.mjs');
  const { status } = spawnSync(process.execPath, [run, 'prepare'], { stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(1);
}
