import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { hasGo } from '@ces/chart/check/programs';
import { findNatsServer } from '@ces/servers/nats/binary';
import { REPOSITORY } from '@ces/topology/services';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { makeDatabaseImages } from './build/cloudnativepg.ts';
import { makeImages } from './build/images.ts';
import { makeProductImage } from './build/product.ts';
import { findPrograms } from './build/programs.ts';
import type { NodeParts, Work } from './inside.ts';
import { needsDatabases, needsProduct, ROWS, type RowName, readRows } from './rows.ts';

const USAGE = `npm run lab -- cluster [--only ${ROWS.join(',')}] [--from COMMIT] [--rate CALLS_A_SECOND] [--json FILE] [--keep]`;
const IMAGE = 'company-evidence-search';
const { values } = readArguments(USAGE, {
  only: { type: 'string' },
  from: { type: 'string' },
  rate: { type: 'string' },
  json: { type: 'string' },
  keep: { type: 'boolean' },
});

process.exitCode = await main();

/**
 * Builds a single-node Kubernetes, starts it in its own namespaces, and prints one row for each
 * check.
 */
async function main(): Promise<number> {
  const lacking = await lackingHere();
  if (lacking !== undefined) {
    process.stderr.write(`${lacking}\n`);
    return 2;
  }
  const rows = readRows(values.only);
  if (!rows) {
    process.stderr.write(`usage: ${USAGE}\n`);
    return 2;
  }
  const node = await prepare(rows);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ces-node-'));
  const work: Work = {
    ...{ node, folder, rows },
    rate: atLeastOne(values.rate, 2),
    json: values.json && path.resolve(values.json),
  };
  const file = path.join(folder, 'work.json');
  await writeFile(file, JSON.stringify(work));
  return await enter(folder, file);
}

/** Fetches everything from outside, because the node has no network access. */
async function prepare(rows: readonly RowName[]): Promise<NodeParts> {
  const programs = await findPrograms();
  // The interface tests start their own nats-server.
  if (rows.includes('contract')) await findNatsServer(path.join(REPOSITORY, '.cache'));
  const images = await makeImages(programs);
  if (needsDatabases(rows)) images.push(...(await makeDatabaseImages(programs)));
  if (needsProduct(rows)) images.push(await makeProductImage(programs.debian, 'HEAD', `${IMAGE}:0.1.0`));
  const before = rows.includes('changes') ? values.from : undefined;
  if (before) images.push(await makeProductImage(programs.debian, before, `${IMAGE}:before`));
  return { programs, images, before };
}

/** Signals and the end of this process close the node's standard input, which stops the node. */
async function enter(folder: string, workFile: string): Promise<number> {
  const inside = [process.execPath, path.join(import.meta.dirname, 'inside.ts'), workFile];
  const child = spawn(path.join(import.meta.dirname, 'node/enter.sh'), [folder, ...inside], {
    detached: true,
    env: { ...process.env, ...(values.keep && { KEEP_NODE: '1' }) },
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.stdin.destroy());
  const [code] = await once(child, 'exit');
  if (values.keep) process.stderr.write(`logs are in ${folder}\n`);
  return code ?? 1;
}

async function lackingHere(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'A node needs Linux and root, for mounts, networks and cgroups of its own.';
  if (!(await hasGo())) return 'Kubernetes is built by Go, which is not installed here.';
  return undefined;
}
