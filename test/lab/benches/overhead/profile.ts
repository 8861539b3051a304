import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { table } from '@ces/cli/output/table';

/** What a CPU profile of Node tells of a function and of time. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  readonly samples: readonly number[];
  /** Microseconds from sample to sample. */
  readonly timeDeltas: readonly number[];
}

/** Share of a process's busy time by where the code stands; sums to 1. */
export type BusyShares = ReadonlyMap<string, number>;

/** Distinguished in this order; what no pattern fits is `other packages`. */
const CATEGORIES: readonly (readonly [string, RegExp])[] = [
  ['postgres driver', /\/node_modules\/(pg|pg-[a-z]+|postgres-[a-z]+)\//],
  ['protobuf', /\/node_modules\/@bufbuild\//],
  ['RPC libraries', /\/node_modules\/(@connectrpc|undici)\//],
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

/** The shares of every program, from the profiles that its process left. */
export async function readProfiles(
  directory: string,
  pids: Readonly<Record<string, number>>,
): Promise<ReadonlyMap<string, BusyShares>> {
  const names = new Map(Object.entries(pids).map(([name, pid]) => [String(pid), name]));
  const found = new Map<string, BusyShares>();
  for (const file of await readdir(directory)) {
    const [, pid = '', thread] = /\.(\d+)\.(\d+)\.\d+\.cpuprofile$/.exec(file) ?? [];
    const name = names.get(pid);
    if (name !== undefined && thread === '0')
      found.set(name, sharesOf(JSON.parse(await readFile(path.join(directory, file), 'utf8'))));
  }
  return found;
}

function sharesOf({ nodes, samples, timeDeltas }: CpuProfile): BusyShares {
  const categories = new Map(nodes.map(({ id, callFrame }) => [id, categoryOf(callFrame.functionName, callFrame.url)]));
  const times = new Map<string, number>();
  let busy = 0;
  for (const [index, sample] of samples.entries()) {
    const category = categories.get(sample);
    if (category === undefined) continue;
    const time = timeDeltas[index] ?? 0;
    busy += time;
    times.set(category, (times.get(category) ?? 0) + time);
  }
  return new Map([...times].map(([category, time]) => [category, time / busy]));
}

/** Undefined while the process had nothing to do. */
function categoryOf(name: string, url: string): string | undefined {
  if (name === '(idle)') return undefined;
  if (name === '(garbage collector)') return 'garbage collection';
  if (url === '') return 'Node';
  return CATEGORIES.find(([, pattern]) => pattern.test(url))?.[0] ?? 'other packages';
}

/** A program a column, a category a row, the largest first. */
export function profileTable(profiles: ReadonlyMap<string, BusyShares>): string {
  const programs = [...profiles];
  const categories = new Set(programs.flatMap(([, shares]) => [...shares.keys()]));
  const total = (category: string) => programs.reduce((sum, [, shares]) => sum + (shares.get(category) ?? 0), 0);
  const rows = [...categories]
    .toSorted((a, b) => total(b) - total(a))
    .map((category) => [
      category,
      ...programs.map(([, shares]) => `${Math.round((shares.get(category) ?? 0) * 100)} %`),
    ]);
  return table(['busy time by category', ...programs.map(([name]) => name)], rows);
}
