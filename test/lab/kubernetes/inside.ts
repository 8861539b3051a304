import { readFile } from 'node:fs/promises';
import type { Image } from './build/images.ts';
import type { Programs, Tools } from './build/programs.ts';
import { tryExamples } from './chart/examples.ts';
import { memoryOf } from './node/memory.ts';
import { type Cluster, startCluster } from './node/start.ts';
import { subscribe } from './product/load.ts';
import type { Product } from './product/product.ts';
import { Report } from './report.ts';
import { tryChanges } from './rows/changes.ts';
import { tryContract } from './rows/contract.ts';
import { tryEdges } from './rows/edges.ts';
import { tryEngine } from './rows/engine.ts';
import { tryInstall } from './rows/install.ts';
import { tryNames } from './rows/names.ts';
import { tryPolicies } from './rows/policies.ts';
import type { RowName } from './rows.ts';
import { needsProduct } from './rows.ts';

/** What a node needs. */
export interface NodeParts {
  readonly programs: Programs;
  readonly images: readonly Image[];
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

async function tryNode({ programs, images }: NodeParts, work: Work, report: Report): Promise<void> {
  const { rows, folder, from } = work;
  if (rows.includes('examples')) await tryExamples(programs.bin, report, from);
  if (!rows.some((row) => row !== 'engine' && row !== 'examples')) return;
  await using cleanup = new AsyncDisposableStack();
  let cluster: Cluster | undefined;
  await report.row('node ready', async () => {
    cluster = cleanup.use(await startCluster(programs, images, folder));
    return { figures: { 'MB resident': await memoryOf() } };
  });
  if (cluster) await tryCluster(cluster, work, report);
}

async function tryCluster(cluster: Cluster, work: Work, report: Report): Promise<void> {
  const { rows, folder } = work;
  await tryNames(cluster, report);
  if (rows.includes('policies')) await tryPolicies(cluster, report);
  if (!needsProduct(rows)) return;
  const product = await tryInstall(cluster, report, folder);
  if (product) await tryProduct(product, work, report);
}

async function tryProduct(product: Product, { rows, rate }: Work, report: Report): Promise<void> {
  await report.row('memory of the node with the product', async () => ({
    figures: { 'MB resident': await memoryOf() },
  }));
  if (rows.includes('edges')) await tryEdges(product, report);
  if (rows.includes('contract')) await tryContract(product, report);
  if (rows.includes('changes')) await tryChanges(product, await subscribe(product, 'cluster'), rate, report);
}
