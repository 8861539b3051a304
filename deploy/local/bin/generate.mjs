import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { filesBelow } from './files.mjs';
import { withProgress } from './progress.mjs';

const execute = promisify(execFile);
const OUTPUT = 'proto/gen';

export function isGenerated(root) {
  const mark = path.join(root, OUTPUT, '.inputs');
  return existsSync(mark) && readFileSync(mark, 'utf8') === fingerprint(root);
}

/**
 * Generates code from the protocol files unless it is current. It replaces each file atomically,
 * for concurrent readers.
 */
export async function generate(root, node) {
  if (isGenerated(root)) return;
  const inputs = fingerprint(root);
  const staging = mkdtempSync(path.join(root, '.cache/generate-'));
  try {
    await withProgress('generating code from the contracts', () => runBuf(root, node, staging));
    replaceChanged(path.join(staging, OUTPUT), path.join(root, OUTPUT));
    writeFileSync(path.join(root, OUTPUT, '.inputs'), inputs);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

async function runBuf(root, node, staging) {
  const PATH = [path.join(root, 'node_modules/.bin'), process.env.PATH].join(path.delimiter);
  const buf = path.join(root, 'node_modules/@bufbuild/buf/bin/buf');
  await execute(node, [buf, 'generate', '--output', staging], { cwd: root, env: { ...process.env, PATH } }).catch(
    (error) => {
      throw new Error(`buf generate failed: ${error.stderr?.trim() || error.message}`);
    },
  );
}

function replaceChanged(from, to) {
  const made = filesBelow(from);
  for (const file of made) {
    const target = path.join(to, file);
    if (existsSync(target) && readFileSync(target).equals(readFileSync(path.join(from, file)))) continue;
    mkdirSync(path.dirname(target), { recursive: true });
    renameSync(path.join(from, file), target);
  }
  for (const file of filesBelow(to)) if (!made.includes(file)) rmSync(path.join(to, file));
}

function fingerprint(root) {
  const contracts = filesBelow(path.join(root, 'proto')).filter((file) => file.endsWith('.proto'));
  const inputs = ['buf.yaml', 'buf.gen.yaml', ...contracts.map((file) => path.join('proto', file))];
  const hash = createHash('sha256').update(pluginVersion(root));
  for (const file of inputs) hash.update(`\0${file}\0`).update(readFileSync(path.join(root, file)));
  return hash.digest('hex');
}

function pluginVersion(root) {
  return JSON.parse(readFileSync(path.join(root, 'node_modules/@bufbuild/protoc-gen-es/package.json'), 'utf8')).version;
}
