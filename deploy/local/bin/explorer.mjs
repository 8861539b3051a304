import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { filesBelow } from './files.mjs';
import { withProgress } from './progress.mjs';

const execute = promisify(execFile);
const OUTPUT = 'gateway/explorer/dist';
const SOURCES = ['gateway/explorer', 'gateway/client/src', 'gateway/assets'];

export function isBuilt(root) {
  const mark = path.join(root, OUTPUT, '.inputs');
  return existsSync(mark) && readFileSync(mark, 'utf8') === fingerprint(root);
}

/** Builds the explorer unless it is current. A running gateway keeps serving the previous build. */
export async function buildExplorer(root, node) {
  if (isBuilt(root)) return;
  const inputs = fingerprint(root);
  mkdirSync(path.join(root, '.cache'), { recursive: true });
  const staging = mkdtempSync(path.join(root, '.cache/explorer-'));
  try {
    await withProgress('building the explorer', () => runVite(root, node, path.join(staging, 'dist')));
    writeFileSync(path.join(staging, 'dist/.inputs'), inputs);
    rmSync(path.join(root, OUTPUT), { recursive: true, force: true });
    renameSync(path.join(staging, 'dist'), path.join(root, OUTPUT));
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

async function runVite(root, node, output) {
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const parameters = [
    vite,
    'build',
    '--config',
    'gateway/explorer/vite.config.ts',
    '--outDir',
    output,
    '--emptyOutDir',
  ];
  await execute(node, parameters, { cwd: root, env: { ...process.env, NODE_ENV: 'production' } }).catch((error) => {
    throw new Error(`The explorer cannot be built: ${error.stderr?.trim() || error.message}`);
  });
}

function fingerprint(root) {
  const hash = createHash('sha256').update(readFileSync(path.join(root, 'package-lock.json')));
  for (const folder of SOURCES)
    for (const file of filesBelow(path.join(root, folder))) {
      if (/^(?:dist|node_modules)\//.test(file) || file.includes('.test.')) continue;
      hash.update(`\0${folder}/${file}\0`).update(readFileSync(path.join(root, folder, file)));
    }
  return hash.digest('hex');
}
