import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Node 24 as npm installed it (Linux x64), else the one that runs this if it can run TypeScript. */
export async function findNode(root) {
  const installed = path.join(root, 'node_modules/.bin/node');
  const runs = await execute(installed, ['--version']).then(
    () => true,
    () => false,
  );
  if (runs) return installed;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return process.execPath;
  throw new Error(
    `Node ${process.versions.node} cannot run this on ${process.platform} ${process.arch}: install Node 24 (at least 22.18) and start again.`,
  );
}
