import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { releaseAt } from './chart/release.ts';
import { kubectl } from './kubectl.ts';
import { eachIsAnswered, noneFails, subscribe } from './product/load.ts';
import { IMAGE, type Product } from './product/product.ts';
import { Report } from './report.ts';
import { tryBooks } from './rows/books.ts';
import { tryBroker } from './rows/broker.ts';
import { tryCertificates } from './rows/certificates.ts';
import { tryChanges } from './rows/changes.ts';
import { tryContract } from './rows/contract.ts';
import { tryEdges } from './rows/edges.ts';
import { tryInstall } from './rows/install.ts';
import { tryNamesAway } from './rows/names-away.ts';
import { tryPostgres } from './rows/postgres.ts';
import { tryRotation } from './rows/rotation.ts';
import { tryScaling } from './rows/scaling.ts';
import { needsCalls, needsInstall, ROWS, type RowName, readRows } from './rows.ts';

const USAGE = `npm run lab -- cluster [--only ${ROWS.join(',')}] [--loaded] [--from COMMIT] [--rate CALLS_A_SECOND] [--json FILE] [--keep]`;
const { values } = readArguments(USAGE, {
  only: { type: 'string' },
  loaded: { type: 'boolean' },
  from: { type: 'string' },
  rate: { type: 'string' },
  json: { type: 'string' },
  keep: { type: 'boolean' },
});
const rate = atLeastOne(values.rate, 2);

process.exitCode = await main();

/** Tries the chart on the cluster of KUBECONFIG, and prints one row for each check. */
async function main(): Promise<number> {
  const rows = readRows(values.only);
  if (!rows) {
    process.stderr.write(`usage: ${USAGE}\n`);
    return 2;
  }
  const lacking = await lackingHere();
  if (lacking !== undefined) {
    process.stderr.write(`${lacking}\n`);
    return 2;
  }
  const report = new Report();
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ces-cluster-'));
  try {
    await tryRows(rows, folder, report);
  } finally {
    if (values.keep) process.stderr.write(`files are in ${folder}\n`);
    else await rm(folder, { recursive: true, force: true });
  }
  if (values.json !== undefined) await report.write(values.json);
  return report.faults === 0 ? 0 : 1;
}

async function lackingHere(): Promise<string | undefined> {
  if (!process.env.KUBECONFIG)
    return 'Set KUBECONFIG to a cluster without this product, for example one of kind; or run this inside `npm run lab -- node -- …`.';
  return await kubectl(['get', 'nodes']).then(
    () => undefined,
    (error: Error) => `The cluster does not answer: ${error.message}`,
  );
}

async function tryRows(rows: readonly RowName[], folder: string, report: Report): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const isLoaded = values.loaded ?? false;
  const product = needsInstall(rows) ? await tryInstall(report, folder, isLoaded, cleanup) : undefined;
  if (product) await tryProduct(product, rows, report, cleanup);
  if (rows.includes('postgres')) await tryPostgres({ folder, rate, isLoaded }, report, cleanup);
}

async function tryProduct(
  product: Product,
  rows: readonly RowName[],
  report: Report,
  cleanup: AsyncDisposableStack,
): Promise<void> {
  if (rows.includes('edges')) await tryEdges(product, report);
  if (rows.includes('contract')) await tryContract(product, report);
  if (!needsCalls(rows)) return;
  const before =
    rows.includes('changes') && values.from ? await olderRelease(product, values.from, cleanup) : undefined;
  const subscriber = await subscribe(product, 'cluster', rate);
  const none = noneFails(subscriber, report);
  const calls = { noneFails: none, eachIsAnswered: eachIsAnswered(subscriber, report) };
  if (rows.includes('changes')) await tryChanges(product, calls, before);
  if (rows.includes('scaling')) await tryScaling(product, none);
  if (rows.includes('rotation')) await tryRotation(product, none);
  if (rows.includes('broker')) await tryBroker(product, none);
  if (rows.includes('certificates')) await tryCertificates(product, calls);
  if (rows.includes('dns')) await tryNamesAway(product, calls.eachIsAnswered);
  await tryBooks(product, subscriber, report);
}

/** The chart of a commit, and its image, which is built here unless it is loaded. */
async function olderRelease(product: Product, commit: string, cleanup: AsyncDisposableStack) {
  const tag = 'before';
  if (!values.loaded)
    await product.shell(`git worktree add --detach older ${commit}
      docker build -f older/deploy/Dockerfile --build-arg REVISION=$(git rev-parse ${commit}) -t ${IMAGE}:${tag} older
      git worktree remove --force older
      kind load docker-image ${IMAGE}:${tag}`);
  return { commit, ...(await releaseAt(commit, cleanup)), tag };
}
