import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { table } from '@ces/cli/output/table';

/** What a CPU profile of Node tells of a function and of time. */
interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  /** By the monotonic clock that all processes of a machine share, in microseconds. */
  readonly startTime: number;
  readonly samples: readonly number[];
  /** Microseconds from sample to sample. */
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

/** What was profiled: processes start and end besides, which takes longer than some seconds of requests. */
export interface Profiled {
  readonly what: string;
  readonly requests: number;
  /** By the monotonic clock, in microseconds. */
  readonly from: number;
  readonly until: number;
}

/** A process's busy time while requests were made, in microseconds of a request. */
export interface BusyTimes {
  /** By where the code stands. */
  readonly categories: ReadonlyMap<string, number>;
  /** By function; what Node does is put down to the function of ours or of a package that called it. */
  readonly functions: ReadonlyMap<string, number>;
}

/** Functions of a process that are shown. */
const SHOWN_FUNCTIONS = 12;

/** Now, as profiles have it. */
export function monotonicMicros(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

/** Distinguished in this order; what no pattern fits is `other packages`. */
const CATEGORIES: readonly (readonly [string, RegExp])[] = [
  ['postgres driver', /\/node_modules\/(pg|pg-[a-z]+|postgres-[a-z]+)\//],
  ['protobuf', /\/node_modules\/@bufbuild\//],
  ['RPC libraries', /\/node_modules\/(@connectrpc|@grpc|undici)\//],
  [
    'HTTP framework',
    /\/node_modules\/(fastify|@fastify|find-my-way|fast-json-stringify|ajv|pino|light-my-request|avvio|secure-json-parse)\//,
  ],
  ['telemetry', /\/node_modules\/@opentelemetry\/|\/chassis\/src\/telemetry\//],
  ['RPC of ours', /\/chassis\/src\/(unary|rpc)/],
  ['other packages', /\/node_modules\//],
  ['our own code', /^file:/],
  ['Node', /^node:/],
];

/** Flags that have a Node process write its CPU profile into a directory when it ends. */
export function profilingFlags(directory: string): string {
  return `--cpu-prof --cpu-prof-dir=${directory}`;
}

/** The times of every program, from the profiles that its process left. */
export async function readProfiles(
  directory: string,
  pids: Readonly<Record<string, number>>,
  profiled: Profiled,
): Promise<ReadonlyMap<string, BusyTimes>> {
  const names = new Map(Object.entries(pids).map(([name, pid]) => [String(pid), name]));
  const found = new Map<string, BusyTimes>();
  for (const file of await readdir(directory)) {
    const [, pid = '', thread] = /\.(\d+)\.(\d+)\.\d+\.cpuprofile$/.exec(file) ?? [];
    const name = names.get(pid);
    if (name !== undefined && thread === '0')
      found.set(name, timesOf(JSON.parse(await readFile(path.join(directory, file), 'utf8')), profiled));
  }
  return found;
}

function timesOf(
  { nodes, startTime, samples, timeDeltas }: CpuProfile,
  { requests, from, until }: Profiled,
): BusyTimes {
  const labels = functionsOf(nodes);
  const [categories, functions] = [new Map<string, number>(), new Map<string, number>()];
  const add = (times: Map<string, number>, key: string, time: number) =>
    times.set(key, (times.get(key) ?? 0) + time / requests);
  const categoryOfNode = new Map(
    nodes.map(({ id, callFrame }) => [id, categoryOf(callFrame.functionName, callFrame.url)]),
  );
  let at = startTime;
  for (const [index, sample] of samples.entries()) {
    const time = timeDeltas[index] ?? 0;
    at += time;
    const category = categoryOfNode.get(sample);
    if (category === undefined || at < from || at > until) continue;
    add(categories, category, time);
    add(functions, labels.get(sample) ?? category, time);
  }
  return { categories, functions };
}

/** By the number of a node its function, or the nearest one that called it and is no part of Node. */
function functionsOf(nodes: readonly ProfileNode[]): ReadonlyMap<number, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const labels = new Map<number, string>();
  const label = (node: ProfileNode, caller: string | undefined) => {
    const { functionName, url } = node.callFrame;
    const own = /^file:/.test(url) ? `${functionName || '(anonymous)'} in ${shortened(url)}` : caller;
    if (own !== undefined) labels.set(node.id, own);
    return own;
  };
  const [root] = nodes;
  const open: [ProfileNode, string | undefined][] = root ? [[root, undefined]] : [];
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, caller] = next;
    const own = label(node, caller);
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      if (child) open.push([child, own]);
    }
  }
  return labels;
}

/** From the package, or the folder of the service, on. */
function shortened(url: string): string {
  const [, inPackage] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
  return inPackage ?? url.split('/').slice(-3).join('/');
}

/** Undefined while the process had nothing to do. */
function categoryOf(name: string, url: string): string | undefined {
  if (name === '(idle)') return undefined;
  if (name === '(garbage collector)') return 'garbage collection';
  if (url === '') return 'Node';
  return CATEGORIES.find(([, pattern]) => pattern.test(url))?.[0] ?? 'other packages';
}

/** A program a column, a category a row, the largest first; then the dearest functions of each program. */
export function profileTable({ what, requests }: Profiled, profiles: ReadonlyMap<string, BusyTimes>): string {
  const programs = [...profiles];
  const categories = new Set(programs.flatMap(([, times]) => [...times.categories.keys()]));
  const total = (category: string) =>
    programs.reduce((sum, [, times]) => sum + (times.categories.get(category) ?? 0), 0);
  const micros = (time: number | undefined) => Math.round(time ?? 0).toString();
  const rows = [...categories]
    .toSorted((a, b) => total(b) - total(a))
    .map((category) => [category, ...programs.map(([, times]) => micros(times.categories.get(category)))]);
  const functions = programs.flatMap(([name, times]) =>
    [...times.functions]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, SHOWN_FUNCTIONS)
      .map(([label, time]) => [name, micros(time), label]),
  );
  return [
    `${what}: busy microseconds of each of ${requests} requests`,
    table(['by category', ...programs.map(([name]) => name)], rows),
    table(['program', 'microseconds', 'function, with what Node does for it'], functions),
  ].join('\n\n');
}
