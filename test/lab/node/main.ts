import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { makeDatabaseImages } from './build/cloudnativepg.ts';
import { makeImages } from './build/images.ts';
import { makeProductImage } from './build/product.ts';
import { findPrograms } from './build/programs.ts';
import type { Work } from './inside.ts';
import { run } from './processes.ts';

const USAGE = 'npm run lab -- node [--before COMMIT] [--keep] -- COMMAND…';
const IMAGE = 'docker.io/library/company-evidence-search';

process.exitCode = await main(process.argv.slice(2));

/**
 * Builds a Kubernetes of one node without pulling an image, starts it in namespaces of its own, and
 * runs a command there with KUBECONFIG. Returns the command's exit code.
 */
async function main(parameters: string[]): Promise<number> {
  const end = parameters.indexOf('--');
  const command = end < 0 ? [] : parameters.slice(end + 1);
  if (command.length === 0) {
    process.stderr.write(`usage: ${USAGE}\n`);
    return 2;
  }
  const options = { before: { type: 'string' }, keep: { type: 'boolean' } } as const;
  const { values } = parseArgs({ args: parameters.slice(0, end), options });
  const lacking = await lackingHere();
  if (lacking !== undefined) {
    process.stderr.write(`${lacking}\n`);
    return 2;
  }
  const programs = await findPrograms();
  const images = [...(await makeImages(programs)), ...(await makeDatabaseImages(programs))];
  images.push(await makeProductImage(programs.debian, 'HEAD', `${IMAGE}:0.1.0`));
  if (values.before) images.push(await makeProductImage(programs.debian, values.before, `${IMAGE}:before`));
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ces-node-'));
  const work: Work = { programs, images, folder, command };
  const file = path.join(folder, 'work.json');
  await writeFile(file, JSON.stringify(work));
  return await enter(folder, file, values.keep ?? false);
}

/** Signals and the end of this process close the node's standard input, which stops the node. */
async function enter(folder: string, workFile: string, isKept: boolean): Promise<number> {
  const inside = [process.execPath, path.join(import.meta.dirname, 'inside.ts'), workFile];
  const child = spawn(path.join(import.meta.dirname, 'enter.sh'), [folder, ...inside], {
    detached: true,
    env: { ...process.env, ...(isKept && { KEEP_NODE: '1' }) },
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.stdin.destroy());
  const [code] = await once(child, 'exit');
  if (isKept) process.stderr.write(`logs are in ${folder}\n`);
  return code ?? 1;
}

async function lackingHere(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'A node needs Linux and root, for mounts, networks and cgroups of its own.';
  return await run('go', ['version']).then(
    () => undefined,
    () => 'Kubernetes is built by Go, which is not installed here.',
  );
}
