import { setTimeout as pause } from 'node:timers/promises';
import { list, table } from '@ces/cli/output/table';
import { Caller } from './overhead/caller.ts';
import { type Service, startService } from './overhead/service.ts';
import { growthOf, readMemory, type Sight } from './soak/memory.ts';
import { atLeastOne, readArguments } from './support/arguments.ts';
import { type Figures, goOn, runBenchmark } from './support/bench.ts';
import { percentile } from './support/figures.ts';
import { startBenchServer } from './support/server.ts';

const USAGE = 'npm run bench:soak -- [--minutes N] [--rate N] [--json FILE]';

const { values: options } = readArguments(USAGE, {
  minutes: { type: 'string' },
  rate: { type: 'string' },
  json: { type: 'string' },
});
const minutes = atLeastOne(options.minutes, 30);
const rate = atLeastOne(options.rate, 20);

/** Between two sights of the memory. */
const SIGHT_MS = 30_000;
/** Nothing is asked for this long before the load and after it. */
const IDLE_MS = 60_000;
/** One call in so many is a search, the others are look-ups. */
const SEARCH_EVERY = 3;
/** Servers that are not ours are shown, but not added up. */
const OURS = ['gateway', 'operations', 'ledger', 'search', 'lookup', 'acquisition'];

await runBenchmark(measure, options.json);

/** The product under a steady load: what it holds in memory before, while and after, and by how much that grows. */
async function measure(signal: AbortSignal): Promise<Figures> {
  await using server = await startBenchServer();
  await using service = await startService(server, undefined, signal);
  const begun = performance.now();
  const look = async (): Promise<Sight> => {
    const programs = OURS.map(async (name) => [name, await readMemory(service.pids[name] ?? 0)] as const);
    return { minutes: (performance.now() - begun) / 60_000, programs: Object.fromEntries(await Promise.all(programs)) };
  };
  await pause(IDLE_MS, undefined, { signal });
  const before = await look();
  const load = startLoad(service, signal);
  const during: Sight[] = [];
  for (const until = performance.now() + minutes * 60_000; performance.now() < until; ) {
    await Promise.race([pause(SIGHT_MS, undefined, { signal }), load.failed]);
    during.push(await look());
    process.stderr.write(`${during.at(-1)?.minutes.toFixed(1)} min  ${sum(during.at(-1)).toFixed(0)} MiB\n`);
  }
  const times = await load.stop();
  goOn(signal);
  await pause(IDLE_MS, undefined, { signal });
  return report(before, during, await look(), times);
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

function report(before: Sight, during: readonly Sight[], after: Sight, times: readonly number[]): Figures {
  const secondHalf = during.slice(Math.floor(during.length / 2));
  const rows = OURS.map((name) => {
    const most = Math.max(...during.map(({ programs }) => programs[name]?.resident ?? 0));
    const [idle, calmed] = [before, after].map(({ programs }) => programs[name]?.resident.toFixed(0));
    const half = during[Math.floor(during.length / 2)]?.programs[name]?.resident.toFixed(0);
    const last = during.at(-1)?.programs[name]?.resident.toFixed(0);
    return [name, idle, half, last, most.toFixed(0), calmed, growthOf(secondHalf, name).toFixed(0)];
  });
  const totals = list([
    ['calls', `${times.length} in ${minutes} min, one in ${SEARCH_EVERY} a search`],
    ['p50, p99', `${percentile(times, 0.5).toFixed(0)}, ${percentile(times, 0.99).toFixed(0)} ms`],
    ['together, idle', `${sum(before).toFixed(0)} MiB (shared pages counted once)`],
    ['together, at the end of the load', `${sum(during.at(-1)).toFixed(0)} MiB`],
    ['together, a minute after it', `${sum(after).toFixed(0)} MiB`],
  ]);
  const head = ['resident MiB', 'idle', 'half way', 'at the end', 'most', 'a minute later', 'MiB an hour, second half'];
  return {
    json: { minutes, rate, calls: times.length, before, during, after },
    text: `${totals}\n\n${table(head, rows)}`,
  };
}

function sum(sight: Sight | undefined): number {
  return Object.values(sight?.programs ?? {}).reduce((total, { proportional }) => total + proportional, 0);
}
