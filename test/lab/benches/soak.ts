import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { list, table } from '@ces/cli/output/table';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { type Figures, goOn, runBenchmark } from '../support/bench.ts';
import { percentile } from '../support/figures.ts';
import { startBenchServer } from '../support/server.ts';
import { Caller } from './overhead/caller.ts';
import { type Service, startService } from './overhead/service.ts';
import { readLiveHeaps, snapshotFlags } from './soak/live-heap.ts';
import { growthOf, type MemorySample, readMemory } from './soak/memory.ts';

const USAGE = 'npm run lab -- soak [--minutes N] [--rate N] [--heap] [--json FILE]';

const { values: options } = readArguments(USAGE, {
  minutes: { type: 'string' },
  rate: { type: 'string' },
  heap: { type: 'boolean' },
  json: { type: 'string' },
});
const minutes = atLeastOne(options.minutes, 30);
const rate = atLeastOne(options.rate, 20);

/** Between two samples of the memory. */
const SIGHT_MS = 30_000;
/** Nothing is asked for this long before the load and after it. */
const IDLE_MS = 60_000;
/** One call in so many is a search, the others are look-ups. */
const SEARCH_EVERY = 3;
/** Servers that are not ours are shown, but not added up. */
const OURS = ['gateway', 'operations', 'ledger', 'search', 'lookup', 'acquisition'];

await runBenchmark(measure, options.json);

/**
 * The product under a steady load: what it holds in memory before, while and after, by how much that grows, and with
 * `--heap` how much is alive half way and at the end. Snapshots stop the processes and need memory themselves, so the load
 * stops for them, and the resident figures after the first are not those of a run without.
 */
async function measure(signal: AbortSignal): Promise<Figures> {
  await using server = await startBenchServer();
  const snapshots = path.join(server.directory, 'snapshots');
  await mkdir(snapshots);
  await using service = await startService(server, undefined, signal, snapshotFlags(snapshots));
  const pids = Object.fromEntries(OURS.map((name) => [name, service.pids[name] ?? 0]));
  const begun = performance.now();
  const look = async (): Promise<MemorySample> => {
    const programs = Object.entries(pids).map(async ([name, pid]) => [name, await readMemory(pid)] as const);
    return { minutes: (performance.now() - begun) / 60_000, programs: Object.fromEntries(await Promise.all(programs)) };
  };
  const readAlive = async () => (options.heap ? await readLiveHeaps(snapshots, pids) : {});
  const times: number[] = [];
  const during: MemorySample[] = [];
  const loadHalf = async () => {
    const load = startLoad(service, signal);
    for (const until = performance.now() + minutes * 30_000; performance.now() < until; ) {
      await Promise.race([pause(SIGHT_MS, undefined, { signal }), load.failed]);
      const sample = await look();
      during.push(sample);
      process.stderr.write(`${sample.minutes.toFixed(1)} min  ${sum(sample).toFixed(0)} MiB\n`);
    }
    times.push(...(await load.stop()));
    goOn(signal);
  };
  await pause(IDLE_MS, undefined, { signal });
  const before = await look();
  await loadHalf();
  const aliveHalfWay = await readAlive();
  await loadHalf();
  await pause(IDLE_MS, undefined, { signal });
  const after = await look();
  const alive = await readAlive();
  return report({ before, during, after, aliveHalfWay, alive, times });
}

interface Found {
  readonly before: MemorySample;
  readonly during: readonly MemorySample[];
  readonly after: MemorySample;
  /** MB of a heap snapshot by program. */
  readonly aliveHalfWay: Readonly<Record<string, number>>;
  readonly alive: Readonly<Record<string, number>>;
  readonly times: readonly number[];
}

interface Load {
  /** Rejects when a call is not answered with 200. */
  readonly failed: Promise<never>;
  /** Waits for what is under way; the time of every call, in milliseconds. */
  stop(): Promise<readonly number[]>;
}

/** So many calls a second, whether those before have been answered or not. */
function startLoad(service: Service, signal: AbortSignal): Load {
  const caller = new Caller(256);
  const times: number[] = [];
  const underWay = new Set<Promise<void>>();
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  let turn = 0;
  const call = async () => {
    const asked = performance.now();
    turn += 1;
    await (turn % SEARCH_EVERY === 0 ? service.search(caller, turn) : service.lookUp(caller, turn));
    times.push(performance.now() - asked);
  };
  const timer = setInterval(() => {
    const one = call().catch(reject);
    underWay.add(one);
    void one.finally(() => underWay.delete(one));
  }, 1_000 / rate);
  signal.addEventListener('abort', () => clearInterval(timer));
  return {
    failed,
    stop: async () => {
      clearInterval(timer);
      await Promise.all(underWay);
      caller[Symbol.dispose]();
      return times;
    },
  };
}

function report({ before, during, after, aliveHalfWay, alive, times }: Found): Figures {
  const secondHalf = during.slice(Math.floor(during.length / 2));
  const rows = OURS.map((name) => {
    const most = Math.max(...during.map(({ programs }) => programs[name]?.resident ?? 0));
    const [idle, half, last, calmed] = [before, secondHalf[0], during.at(-1), after].map((sample) =>
      sample?.programs[name]?.resident.toFixed(0),
    );
    const heaps = options.heap ? [aliveHalfWay, alive].map((heap) => heap[name]?.toFixed(1)) : [];
    return [name, idle, half, last, most.toFixed(0), calmed, growthOf(secondHalf, name).toFixed(0), ...heaps];
  });
  const totals = list([
    ['calls', `${times.length} in ${minutes} min, one in ${SEARCH_EVERY} a search`],
    ['p50, p99', `${percentile(times, 0.5).toFixed(0)}, ${percentile(times, 0.99).toFixed(0)} ms`],
    ['together, idle', `${sum(before).toFixed(0)} MiB (shared pages counted once)`],
    ['together, at the end of the load', `${sum(during.at(-1)).toFixed(0)} MiB`],
    ['together, a minute after it', `${sum(after).toFixed(0)} MiB`],
  ]);
  const head = [
    ...['resident MiB', 'idle', 'half way', 'at the end', 'most', 'a minute later', 'MiB an hour, second half'],
    ...(options.heap ? ['alive half way, MB', 'at the end, MB'] : []),
  ];
  return {
    json: { minutes, rate, calls: times.length, before, during, after, aliveHalfWay, alive },
    text: `${totals}\n\n${table(head, rows)}`,
  };
}

function sum(sample: MemorySample | undefined): number {
  return Object.values(sample?.programs ?? {}).reduce((total, { proportional }) => total + proportional, 0);
}
