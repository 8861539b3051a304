import { readFile } from 'node:fs/promises';
import type { Image } from './build/images.ts';
import type { Programs } from './build/programs.ts';
import { releaseAt } from './chart/release.ts';
import { memoryOf } from './node/memory.ts';
import { type Cluster, startCluster } from './node/start.ts';
import { eachIsAnswered, noneFails, subscribe } from './product/load.ts';
import type { Product } from './product/product.ts';
import { Report } from './report.ts';
import { tryBooks } from './rows/books.ts';
import { tryBroker } from './rows/broker.ts';
import { tryCertificates } from './rows/certificates.ts';
import { tryChanges } from './rows/changes.ts';
import { tryContract } from './rows/contract.ts';
import { tryEdges } from './rows/edges.ts';
import { tryInstall } from './rows/install.ts';
import { tryNames } from './rows/names.ts';
import { tryNamesAway } from './rows/names-away.ts';
import { tryPostgres } from './rows/postgres.ts';
import { tryRotation } from './rows/rotation.ts';
import { tryScaling } from './rows/scaling.ts';
import type { RowName } from './rows.ts';
import { needsCalls, needsDatabases, needsInstall } from './rows.ts';

export interface NodeParts {
  readonly programs: Programs;
  readonly images: readonly Image[];
  readonly before?: string | undefined;
}

export interface Work {
  readonly node: NodeParts;
  readonly folder: string;
  readonly rows: readonly RowName[];
  readonly rate: number;
  readonly json?: string | undefined;
}

const [file = ''] = process.argv.slice(2);
process.exitCode = await main(JSON.parse(await readFile(file, 'utf8')) as Work);

async function main(work: Work): Promise<number> {
  const report = new Report();
  process.env.PATH = `${work.node.programs.bin}:${process.env.PATH}`;
  await tryNode(work, report);
  if (work.json !== undefined) await report.write(work.json);
  return report.faults === 0 ? 0 : 1;
}

async function tryNode(work: Work, report: Report): Promise<void> {
  const { programs, images } = work.node;
  await using cleanup = new AsyncDisposableStack();
  let cluster: Cluster | undefined;
  await report.row('node ready', async () => {
    cluster = cleanup.use(await startCluster(programs, images, work.folder));
    return { figures: { 'MB resident': await memoryOf() } };
  });
  if (cluster) await tryCluster(cluster, work, report);
}

async function tryCluster(cluster: Cluster, work: Work, report: Report): Promise<void> {
  const { rows, folder } = work;
  await tryNames(cluster, report);
  const product = needsInstall(rows) ? await tryInstall(cluster, report, folder) : undefined;
  if (product) await tryProduct(product, work, report);
  if (needsDatabases(rows)) await tryPostgres(cluster, work, report);
}

async function tryProduct(product: Product, work: Work, report: Report): Promise<void> {
  const { rows } = work;
  await report.row('memory of the node with the product', async () => ({
    figures: { 'MB resident': await memoryOf() },
  }));
  if (rows.includes('edges')) await tryEdges(product, report);
  if (rows.includes('contract')) await tryContract(product, report);
  if (needsCalls(rows)) await tryUnderCalls(product, work, report);
}

async function tryUnderCalls(product: Product, { rows, rate, node }: Work, report: Report): Promise<void> {
  const { before } = node;
  await using cleanup = new AsyncDisposableStack();
  const old = before && {
    commit: before,
    ...(await releaseAt(before, product.repository, cleanup)),
    tag: 'before',
  };
  const subscriber = await subscribe(product, 'cluster', rate);
  const none = noneFails(subscriber, report);
  const calls = { noneFails: none, eachIsAnswered: eachIsAnswered(subscriber, report) };
  if (rows.includes('changes')) await tryChanges(product, calls, old || undefined);
  if (rows.includes('scaling')) await tryScaling(product, none);
  if (rows.includes('rotation')) await tryRotation(product, none);
  if (rows.includes('broker')) await tryBroker(product, none);
  if (rows.includes('certificates')) await tryCertificates(product, calls);
  if (rows.includes('dns')) await tryNamesAway(product, calls.eachIsAnswered);
  await tryBooks(product, subscriber, report);
}
