import os from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { table } from '@ces/cli/output/table';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { type Figures, goOn, runBenchmark } from '../support/bench.ts';
import { type Rate, rateOf } from '../support/rate.ts';
import { type BenchServer, startBenchServer } from '../support/server.ts';
import { startBareHandler } from './overhead/bare-handler.ts';
import { Caller } from './overhead/caller.ts';
import { readCommits, readProcessorTimes, readTraceCosts, type TraceCosts } from './overhead/costs.ts';
import { type BusyShares, profileTable, profilingFlags, readProfiles } from './overhead/profile.ts';
import { type Service, startService } from './overhead/service.ts';
import { COUNTING, countStatements, type StatementCost, statementTable } from './overhead/statements.ts';

const USAGE =
  'npm run lab -- overhead [--seconds N] [--clients 1,16,64] [--profile DIRECTORY] [--statements] [--json FILE]';
const SECONDS = 8;
const CLIENTS = '1,16,64';
/** What is traced where an operator sets a collector and nothing else. */
const DEFAULT_RATIO = 0.05;
const TRACED_REQUESTS = 100;
/** Long enough that starting is a small part of a profile. */
const PROFILED_SECONDS = 20;
const PROFILED_CLIENTS = 16;

const { values: options } = readArguments(USAGE, {
  seconds: { type: 'string' },
  clients: { type: 'string' },
  profile: { type: 'string' },
  statements: { type: 'boolean' },
  json: { type: 'string' },
});

await runBenchmark(measure, options.json);

interface Row {
  readonly what: string;
  readonly clients: number;
  readonly rate: Rate;
  /** Processor milliseconds a request, by program. */
  readonly processorMs: Readonly<Record<string, number>>;
  readonly commits: number;
}

/** The bare handler, look-ups and searches in turn, on the same server in the same run. */
async function measure(signal: AbortSignal): Promise<Figures> {
  const seconds = atLeastOne(options.seconds, SECONDS);
  const clients = (options.clients ?? CLIENTS).split(',').map((text) => atLeastOne(text, 1));
  const load = os.loadavg()[0] ?? 0;
  await using server = await startBenchServer();
  const rows: Row[] = [];
  const take = async (what: string, pids: Readonly<Record<string, number>>, step: Step) => {
    for (const count of clients) {
      goOn(signal);
      process.stderr.write(`${what}, ${count} clients\n`);
      rows.push(await measureRow(server, what, pids, count, seconds, step));
    }
  };
  {
    await using bare = await startBareHandler(server.superuserUrl);
    await take('bare handler', { handler: bare.pid }, (caller, turn) =>
      caller.call(`${bare.url}/lookup/${1 + (turn % 1_000)}`),
    );
  }
  {
    await using service = await startService(server, undefined, signal);
    await take('look-up', service.pids, service.lookUp);
    await take('search', service.pids, service.search);
  }
  {
    await using service = await startService(server, DEFAULT_RATIO, signal);
    await take('look-up, 5 % traced', service.pids, service.lookUp);
  }
  const traced = await traceSome(server, signal);
  const profiles =
    options.profile === undefined ? undefined : await profileLookUps(server, options.profile, seconds, signal);
  const statements = options.statements ? await costStatements(seconds, signal) : [];
  return report(server, rows, traced, load, seconds, profiles, statements);
}

type Step = (caller: Caller, turn: number) => Promise<void>;

async function measureRow(
  server: BenchServer,
  what: string,
  pids: Readonly<Record<string, number>>,
  clients: number,
  seconds: number,
  step: Step,
): Promise<Row> {
  using caller = new Caller(clients);
  let turn = 0;
  const commitsBefore = await readCommits(server.superuserUrl);
  const timesBefore = readProcessorTimes(pids, server.pid);
  const rate = await rateOf(clients, seconds, () => step(caller, turn++));
  const times = readProcessorTimes(pids, server.pid);
  // Statistics of a connection are written at most every second.
  await pause(1_500);
  const commits = (await readCommits(server.superuserUrl)) - commitsBefore;
  const processorMs = Object.fromEntries(
    [...times].map(([name, after]) => [name, ((after - (timesBefore.get(name) ?? 0)) * 1_000) / turn]),
  );
  return { what, clients, rate, processorMs, commits: commits / turn };
}

/** Everything traced, one client: where a request's time goes. */
async function traceSome(server: BenchServer, signal: AbortSignal): Promise<Record<'lookUp' | 'search', TraceCosts>> {
  let file = '';
  {
    await using service: Service = await startService(server, 1, signal);
    using caller = new Caller(1);
    for (let turn = 0; turn < TRACED_REQUESTS; turn += 1) {
      await service.lookUp(caller, turn);
      await service.search(caller, turn);
    }
    file = service.traceFile;
  }
  return {
    lookUp: await readTraceCosts(file, 'GET /api/companies'),
    search: await readTraceCosts(file, 'POST /api/companies/search'),
  };
}

/** Where the processor time of look-ups goes, by process; a run of its own, since a profile slows what it watches. */
async function profileLookUps(
  server: BenchServer,
  directory: string,
  seconds: number,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, BusyShares>> {
  let pids: Service['pids'];
  {
    await using service = await startService(server, undefined, signal, profilingFlags(directory));
    pids = service.pids;
    using caller = new Caller(PROFILED_CLIENTS);
    let turn = 0;
    await rateOf(PROFILED_CLIENTS, Math.max(seconds, PROFILED_SECONDS), () => service.lookUp(caller, turn++));
  }
  return await readProfiles(directory, pids);
}

/** What each statement of a request costs, on a server of its own, since counting them slows all. */
async function costStatements(seconds: number, signal: AbortSignal): Promise<Counted[]> {
  await using server = await startBenchServer(COUNTING);
  await using service = await startService(server, undefined, signal);
  using caller = new Caller(PROFILED_CLIENTS);
  let turn = 0;
  const counted: Counted[] = [];
  for (const [what, step] of [
    ['look-up', service.lookUp],
    ['search', service.search],
  ] as const) {
    await rateOf(PROFILED_CLIENTS, seconds, () => step(caller, turn++));
    const costs = await countStatements(server.superuserUrl, async () => {
      const before = turn;
      await rateOf(PROFILED_CLIENTS, seconds, () => step(caller, turn++));
      return turn - before;
    });
    counted.push({ what, costs });
  }
  return counted;
}

interface Counted {
  readonly what: string;
  readonly costs: readonly StatementCost[];
}

function report(
  server: BenchServer,
  rows: readonly Row[],
  traced: Record<'lookUp' | 'search', TraceCosts>,
  load: number,
  seconds: number,
  profiles: ReadonlyMap<string, BusyShares> | undefined,
  statements: readonly Counted[],
): Figures {
  const bareOf = (clients: number) => rows.find((row) => row.what === 'bare handler' && row.clients === clients)?.rate;
  const shown = rows.map(({ what, clients, rate, processorMs, commits }) => {
    const bare = bareOf(clients);
    return {
      what,
      clients,
      per_second: Math.round(rate.perSecond),
      p50_ms: round(rate.p50),
      p99_ms: round(rate.p99),
      share_of_bare: bare ? round(rate.perSecond / bare.perSecond, 3) : undefined,
      latency_multiple: bare?.p50 ? round((rate.p50 ?? 0) / bare.p50) : undefined,
      commits: round(commits),
      processor_ms: Object.fromEntries(Object.entries(processorMs).map(([name, ms]) => [name, round(ms, 2)])),
    };
  });
  const { fsync, synchronous_commit } = server.durability;
  const heading = `fsync ${fsync}, synchronous_commit ${synchronous_commit}, ${seconds} s a row, load before ${load.toFixed(1)}`;
  const main = table(
    [
      'what',
      'clients',
      'a second',
      'p50 ms',
      'p99 ms',
      'of bare',
      'times bare p50',
      'commits',
      'processor ms a request',
    ],
    shown.map((row) => [
      row.what,
      row.clients,
      row.per_second,
      row.p50_ms,
      row.p99_ms,
      row.share_of_bare,
      row.latency_multiple,
      row.commits,
      Object.entries(row.processor_ms)
        .map(([name, ms]) => `${name} ${ms}`)
        .join(', '),
    ]),
  );
  const perRequest = table(
    ['traced request', 'RPCs', 'statements', 'ms beside the ranking statement'],
    Object.entries(traced).map(([what, cost]) => [what, cost.rpcs, cost.statements, round(cost.besideRankingMs)]),
  );
  return {
    json: { durability: server.durability, load, rows: shown, traced, statements },
    text: [
      heading,
      main,
      perRequest,
      ...(profiles ? [profileTable(profiles)] : []),
      ...statements.map(({ what, costs }) => statementTable(what, costs)),
    ].join('\n\n'),
  };
}

function round(value: number | undefined, digits = 1): number {
  return Number((value ?? 0).toFixed(digits));
}
