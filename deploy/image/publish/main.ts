import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { hasGo, run } from '@ces/chart/programs/programs';
import { attachedTo, attachProvenance, attachSboms } from './attachments.ts';
import { writeBundle } from './bundle.ts';
import { CHART, pushChart, takeChart } from './chart.ts';
import { basesOf, readDockerfile } from './dockerfile.ts';
import { failureOf, PublishFailure } from './failure.ts';
import { findBase, IMAGE, type Image, makeImage } from './image.ts';
import { type Order, readOrder, USAGE } from './order.ts';
import { findTools, startRegistry, type Tools } from './tools.ts';
import {
  copyToRegistry,
  digestOf,
  findPublishedDigest,
  type Item,
  push,
  refuseOtherDigest,
  targetOf,
} from './transfer.ts';
import { exportTree, hasUncommitted, makeAppLayers, type Tree } from './tree.ts';

const BUILD_TYPE = 'https://company-evidence-search.example/build/release@v1';
const SIGNATURE = 'application/vnd.cncf.notary.signature';
const WRONG_USAGE = 2;

process.exitCode = await main(process.argv.slice(2));

/** Exit code 1: a failure to fix; 2: wrong usage. */
async function main(argv: readonly string[]): Promise<number> {
  let order: Order;
  try {
    order = readOrder(argv);
  } catch (error) {
    return fail(error, WRONG_USAGE, USAGE);
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ces-release-'));
  try {
    await publish(order, folder);
    return 0;
  } catch (error) {
    return fail(error, 1);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function fail(error: unknown, code: number, more = ''): number {
  if (!(error instanceof PublishFailure)) throw error;
  process.stderr.write(`${error.message}\n${more}`);
  return code;
}

/** Builds everything in a temporary registry and copies it to the target when it is complete. */
async function publish(order: Order, folder: string): Promise<void> {
  if (!(await hasGo()))
    throw new PublishFailure('crane, helm, notation, oras and syft are built by Go, which is not here.');
  if (await hasUncommitted()) say('what is not committed is left out');
  const tools = await findTools();
  await checkKey(tools, order);
  const there = {
    image: await findPublishedDigest(tools, order, IMAGE),
    chart: await findPublishedDigest(tools, order, CHART),
  };
  const tree = await exportTree(path.join(folder, 'tree'));
  await mkdir(path.join(folder, 'registry'));
  await using registry = await startRegistry(tools.paths.crane, path.join(folder, 'registry'));
  const startedAt = new Date();
  const chart = await takeChart(tree);
  const [, dockerfileBase = ''] = basesOf(await readDockerfile(tree.folder));
  say(`making what the image holds of ${tree.revision}`);
  const layers = await makeAppLayers(tree, order.version);
  say('taking the base for amd64 and arm64');
  const base = await findBase(order, tools, registry.host, tree, dockerfileBase);
  const scratch = `${registry.host}/${order.path}`;
  const parts = { tools, repository: `${scratch}/${IMAGE}`, base, layers, tree, version: order.version };
  const image = await makeImage(parts);
  const imageItem: Item = { what: 'image', name: IMAGE, reference: image.reference };
  refuseOtherDigest(order, imageItem, there.image);
  const named = { registry: order.host, repository: `${order.path}/${IMAGE}`, digest: digestOf(image.reference) };
  const chartReference = await pushChart(tools, chart, order, named, tree, scratch);
  const chartItem: Item = { what: 'chart', name: CHART, reference: chartReference };
  refuseOtherDigest(order, chartItem, there.chart);
  const items = [imageItem, chartItem];
  for (const item of items) await copyToRegistry(tools, order, item);
  const build = {
    ...tree,
    buildType: BUILD_TYPE,
    parameters: { version: order.version, base: base.name },
    bases: [base.name],
    builder: `${BUILD_TYPE}#node-${process.versions.node}`,
    reference: image.reference,
    startedAt,
    finishedAt: new Date(),
  };
  await describe(tools, order, image, items, build, folder);
  for (const item of items) await deliver(tools, order, item, there[item.what as keyof typeof there]);
  if (order.bundle !== undefined) await bundle(tools, order, items, tree, order.bundle, folder);
}

/** Fails early, before the slow steps. */
async function checkKey({ paths }: Tools, { key }: Order): Promise<void> {
  if (key === undefined) return;
  const keys = await run(paths.notation, ['key', 'list']);
  if (!keys.split('\n').some((line) => line.replace(/^\*/, '').trim().split(/\s+/)[0] === key))
    throw new PublishFailure(`notation has no key ${key}: notation key add brings one.`);
}

async function describe(
  tools: Tools,
  { key }: Order,
  image: Image,
  items: readonly Item[],
  build: Parameters<typeof attachProvenance>[1],
  folder: string,
): Promise<void> {
  say('listing parts');
  const lists = await attachSboms(tools, image, folder);
  const provenance = await attachProvenance(tools, build, folder);
  if (key === undefined) return;
  say(`signing with ${key}`);
  for (const reference of [...items.map((item) => item.reference), ...lists, provenance])
    await signOnce(tools, reference, key);
}

async function deliver(tools: Tools, order: Order, item: Item, there: string | undefined): Promise<void> {
  await push(tools, order, item);
  const state = there === undefined ? 'published' : 'was there';
  say(`${state}: ${targetOf(order, item.name)}:${order.version}@${digestOf(item.reference)}`);
}

async function bundle(tools: Tools, order: Order, items: readonly Item[], tree: Tree, file: string, folder: string) {
  const { version } = order;
  const digest = await writeBundle(tools, items, { file, version, seconds: tree.seconds, folder });
  say(`bundle: ${file}, sha256 ${digest}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function signOnce({ oras, paths }: Tools, reference: string, key: string): Promise<void> {
  if ((await attachedTo(oras, reference, SIGNATURE)).length > 0) return;
  await run(paths.notation, ['sign', '--insecure-registry', '--key', key, reference]).catch((error: unknown) => {
    throw failureOf(`notation did not sign with the key ${key}`, error);
  });
}
