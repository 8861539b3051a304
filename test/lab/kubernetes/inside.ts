import { readFile } from 'node:fs/promises';
import type { Image } from './build/images.ts';
import type { Programs, Tools } from './build/programs.ts';
import { tryExamples } from './chart/examples.ts';
import { chartAt } from './chart/release.ts';
import { memoryOf } from './node/memory.ts';
import { type Cluster, startCluster } from './node/start.ts';
import { eachIsAnswered, noneFails, subscribe } from './product/load.ts';
import type { Product } from './product/product.ts';
import { Report } from './report.ts';
import { tryAutoscaling } from './rows/autoscaling.ts';
import { tryBooks } from './rows/books.ts';
import { tryBroker } from './rows/broker.ts';
import { tryCertificates } from './rows/certificates.ts';
import { tryChanges } from './rows/changes.ts';
import { tryClock } from './rows/clock.ts';
import { tryContract } from './rows/contract.ts';
import { tryEdges } from './rows/edges.ts';
import { tryEngine } from './rows/engine.ts';
import { tryInstall } from './rows/install.ts';
import { tryNames } from './rows/names.ts';
import { tryNamesAway } from './rows/names-away.ts';
import { tryPolicies } from './rows/policies.ts';
import { tryPostgres } from './rows/postgres.ts';
import { tryRotation } from './rows/rotation.ts';
import { tryScaling } from './rows/scaling.ts';
import type { RowName } from './rows.ts';
import { needsCalls, needsDatabases, needsInstall } from './rows.ts';

/** What a node needs. */
export interface NodeParts {
  readonly programs: Programs;
  readonly images: readonly Image[];
  /** Commit whose image is there beside this one's. */
  readonly before?: string | undefined;
  /** The library that makes a clock wrong, where that is tried. */
  readonly faketime?: string | undefined;
}

/** What `main.ts` hands to the machine within. */
export interface Work {
  readonly tools: Tools;
  /** Absent where no part needs one. */
  readonly node?: NodeParts | undefined;
  /** Gone afterwards. */
  readonly folder: string;
  readonly rows: readonly RowName[];
  /** Commit of the chart before, for the examples; default: before its last change. */
  readonly from?: string | undefined;
  /** Calls a second while something changes. */
  readonly rate: number;
  readonly json?: string | undefined;
}

const [file = ''] = process.argv.slice(2);
process.exitCode = await main(JSON.parse(await readFile(file, 'utf8')) as Work);

async function main(work: Work): Promise<number> {
  const report = new Report();
  const { tools, node, rows } = work;
  process.env.PATH = `${node?.programs.bin ?? tools.bin}:${process.env.PATH}`;
  if (rows.includes('engine')) await tryEngine(tools.probe, report);
  if (node) await tryNode(node, work, report);
  if (work.json !== undefined) await report.write(work.json);
  return report.faults === 0 ? 0 : 1;
}

async function tryNode({ programs, images, before }: NodeParts, work: Work, report: Report): Promise<void> {
  const { rows, folder, from } = work;
  if (rows.includes('examples')) await tryExamples(programs.bin, report, from);
  if (!rows.some((row) => row !== 'engine' && row !== 'examples')) return;
  await using cleanup = new AsyncDisposableStack();
  let cluster: Cluster | undefined;
  await report.row('node ready', async () => {
    cluster = cleanup.use(await startCluster(programs, images, folder));
    return { figures: { 'MB resident': await memoryOf() } };
  });
  if (cluster) await tryCluster(cluster, before, work, report);
}

async function tryCluster(cluster: Cluster, before: string | undefined, work: Work, report: Report): Promise<void> {
  const { rows, folder } = work;
  await tryNames(cluster, report);
  if (rows.includes('policies')) await tryPolicies(cluster, report);
  const product = needsInstall(rows) ? await tryInstall(cluster, report, folder) : undefined;
  if (product) await tryProduct(product, before, work, report);
  if (needsDatabases(rows)) await tryPostgres(cluster, work, report);
}

async function tryProduct(product: Product, before: string | undefined, work: Work, report: Report): Promise<void> {
  const { rows } = work;
  await report.row('memory of the node with the product', async () => ({
    figures: { 'MB resident': await memoryOf() },
  }));
  if (rows.includes('edges')) await tryEdges(product, report);
  if (rows.includes('contract')) await tryContract(product, report);
  if (needsCalls(rows)) await tryUnderCalls(product, before, work, report);
}

async function tryUnderCalls(
  product: Product,
  before: string | undefined,
  { rows, rate, node }: Work,
  report: Report,
): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const old = before && {
    commit: before,
    chart: await chartAt(before, product.repository, cleanup),
    tag: 'before',
  };
  const subscriber = await subscribe(product, 'cluster', rate);
  const none = noneFails(subscriber, report);
  const calls = { noneFails: none, eachIsAnswered: eachIsAnswered(subscriber, report) };
  if (rows.includes('changes')) await tryChanges(product, calls, old || undefined);
  if (rows.includes('scaling')) await tryScaling(product, none);
  if (rows.includes('autoscaling')) await tryAutoscaling(product, subscriber, calls.eachIsAnswered);
  if (rows.includes('rotation')) await tryRotation(product, none);
  if (rows.includes('broker')) await tryBroker(product, none);
  if (rows.includes('certificates')) await tryCertificates(product, calls);
  if (rows.includes('dns')) await tryNamesAway(product, calls.eachIsAnswered);
  if (node?.faketime !== undefined) await tryClock(product, node.faketime, none);
  await tryBooks(product, subscriber, report);
}
