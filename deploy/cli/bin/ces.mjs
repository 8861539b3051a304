#!/usr/bin/env node
// Entry of `npx ces`. Plain JavaScript for Node 20: it hands over to the Node 24 that npm brought.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNode } from '../../local/bin/node.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

main().catch((error) => {
  process.stderr.write(`ces: ${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
});

async function main() {
  if (!existsSync(path.join(ROOT, 'proto/gen'))) prepare();
  const node = await findNode(ROOT);
  const child = spawn(node, [path.join(ROOT, 'deploy/cli/src/main.ts'), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  process.on('SIGINT', () => undefined);
  child.once('error', (error) => {
    process.stderr.write(`ces: ${node} cannot be run (${error.message}): run npm ci again.\n`);
    process.exit(1);
  });
  child.once('exit', (code) => process.exit(code ?? 1));
}

/** After a bare `npm ci` the contracts have no generated code yet. */
function prepare() {
  const run = path.join(ROOT, 'deploy/local/bin/run.mjs');
  const { status } = spawnSync(process.execPath, [run, 'prepare'], { stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(1);
}
