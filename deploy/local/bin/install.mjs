import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { withProgress } from './progress.mjs';

/**
 * Whether node_modules contains what package-lock.json names. npm writes its own lockfile last, so
 * a partial install has none.
 */
export function isInstalled(root) {
  const wanted = path.join(root, 'package-lock.json');
  const installed = path.join(root, 'node_modules/.package-lock.json');
  const installedAt = statSync(installed, { throwIfNoEntry: false })?.mtimeMs;
  if (installedAt === undefined) return false;
  return installedAt >= statSync(wanted).mtimeMs || hasAll(packagesOf(installed), packagesOf(wanted));
}

export async function install(root) {
  if (!isInstalled(root)) await withProgress('installing packages (npm ci)', () => npmCi(root));
}

/** A checkout changes the mtime of package-lock.json, so this compares versions. */
function hasAll(installed, wanted) {
  return Object.entries(wanted).every(([location, { version, link, optional }]) => {
    const found = installed[location];
    if (!found) return optional || !location.includes('node_modules/');
    return link || found.version === version;
  });
}

function packagesOf(lockfile) {
  return JSON.parse(readFileSync(lockfile, 'utf8')).packages ?? {};
}

async function npmCi(root) {
  const child = spawn('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    /*
     * npm before 11 runs install scripts that package.json does not allow. This one would download
     * CUDA libraries.
     */
    env: { ...process.env, PATH: pathOutside(), ONNXRUNTIME_NODE_INSTALL: 'skip' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-20_000);
    });
  const code = await new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`npm cannot be run (${error.message}): add it to PATH.`)));
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(explain(output, code));
}

/** PATH without node_modules/.bin, which `npm run` puts first: npm ci replaces the `node` in it. */
function pathOutside() {
  const entries = (process.env.PATH ?? '').split(path.delimiter);
  return entries.filter((entry) => !entry.includes('node_modules')).join(path.delimiter);
}

function explain(output, code) {
  const reasons = [...output.matchAll(/^npm (?:error|ERR!) (.+)$/gm)].map(([, text]) => text);
  const shown = reasons.filter((text) => !text.startsWith('A complete log')).slice(0, 3);
  return `npm ci failed (${shown.join('; ') || `code ${code}`}): check the network and the disk, then try again.`;
}
