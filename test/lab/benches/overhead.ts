import os from 'node:os';
import { table } from '@ces/cli/output/table';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { type Figures, goOn, runBenchmark } from '../support/bench.ts';
import { rateOf } from '../support/rate.ts';
import { type BenchServer, startBenchServer } from '../support/server.ts';
import { startBareHandler } from './overhead/bare-handler.ts';
import { Caller } from './overhead/caller.ts';
import { readTraceCosts, type TraceCosts } from './overhead/costs.ts';
import { measureIdle } from './overhead/idle.ts';
import { monotonicMicros, type Profiled, profileTable, profilingFlags, readProfiles } from './overhead/profile.ts';
import { BARE, measureRow, type Row, round, rowTable, type Subject, shownRows } from './overhead/rows.ts';
import { type Service, startService } from './overhead/service.ts';
import { COUNTING, countStatements, type StatementCost, statementTable } from './overhead/statements.ts';
import { measureFloor, measureTracing } from './overhead/turns.ts';

const USAGE =
  'npm run lab -- overhead [--skeleton | --tracing | --idle SECONDS] [--seconds N] [--rounds N] [--clients 1,16,64] [--profile DIRECTORY] [--statements] [--json FILE]';
const SECONDS = 8;
const ROUNDS = 3;
const CLIENTS = '1,16,64';
/** What is traced where an operator sets a collector and nothing else. */
const DEFAULT_RATIO = 0.05;
const TRACED_REQUESTS = 100;
/** Seconds that are profiled at least. */
const PROFILED_SECONDS = 20;
const PROFILED_CLIENTS = 16;

const { values: options } = readArguments(USAGE, {
  skeleton: { type: 'boolean' },
  tracing: { type: 'boolean' },
  idle: { type: 'string' },
  seconds: { type: 'string' },
  rounds: { type: 'string' },
  clients: { type: 'string' },
  profile: { type: 'string' },
  statements: { type: 'boolean' },
  json: { type: 'string' },
});
const seconds = atLeastOne(options.seconds, SECONDS);
const rounds = atLeastOne(options.rounds, ROUNDS);
const clients = (options.clients ?? CLIENTS).split(',').map((text) => atLeastOne(text, 1));
const load = os.loadavg()[0] ?? 0;

await runBenchmark(async (signal) => {
  if (options.idle !== undefined) return await measureIdle(atLeastOne(options.idle, 1), load, signal);
  if (options.skeleton) return await measureFloor({ clients, seconds, rounds, load }, signal);
  if (options.tracing) return await measureTracing({ clients, seconds, rounds, load }, signal);
  return await measure(signal);
}, options.json);

/** The bare handler, look-ups and searches in turn, on the same server in the same run. */
async function measure(signal: AbortSignal): Promise<Figures> {
  await using server = await startBenchServer();
  const rows: Row[] = [];
  const take = async (subject: Subject) => {
    for (const count of clients) {
      goOn(signal);
      process.stderr.write(`${subject.what}, ${count} clients\n`);
      rows.push(await measureRow(server, subject, count, seconds));
    }
  };
  {
    await using bare = await startBareHandler(server.superuserUrl);
    const step: Subject['step'] = (caller, turn) => caller.call(`${bare.url}/lookup/${1 + (turn % 1_000)}`);
    await take({ what: BARE, pids: { handler: bare.pid }, step });
  }
  {
    await using service = await startService(server, undefined, signal);
    await take({ what: 'look-up', pids: service.pids, step: service.lookUp });
    await take({ what: 'search', pids: service.pids, step: service.search });
  }
  {
    await using service = await startService(server, DEFAULT_RATIO, signal);
    await take({ what: 'look-up, 5 % traced', pids: service.pids, step: service.lookUp });
  }
  const traced = await traceSome(server, signal);
  const profiles = options.profile === undefined ? [] : await profileRequests(server, options.profile, signal);
  const statements = options.statements ? await costStatements(signal) : [];
  return report(server, rows, traced, profiles, statements);
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

/** Where the processor time of a request goes, by process and function; a run of its own, since a profile slows what it watches. */
async function profileRequests(server: BenchServer, directory: string, signal: AbortSignal): Promise<string[]> {
  const profiled: Profiled[] = [];
  let pids: Service['pids'];
  {
    await using service = await startService(server, undefined, signal, profilingFlags(directory));
    pids = service.pids;
    using caller = new Caller(PROFILED_CLIENTS);
    let turn = 0;
    for (const [what, step] of [
      ['look-up', service.lookUp],
      ['search', service.search],
    ] as const) {
      const profiledSeconds = Math.max(seconds, PROFILED_SECONDS);
      // Code is compiled and copies are read before anything counts.
      await rateOf(PROFILED_CLIENTS, profiledSeconds / 2, () => step(caller, turn++));
      const [from, before] = [monotonicMicros(), turn];
      await rateOf(PROFILED_CLIENTS, profiledSeconds, () => step(caller, turn++));
      profiled.push({ what, requests: turn - before, from, until: monotonicMicros() });
    }
  }
  const tables: string[] = [];
  for (const one of profiled) tables.push(profileTable(one, await readProfiles(directory, pids, one)));
  return tables;
}

/** What each statement of a request costs, on a server of its own, since counting them slows all. */
async function costStatements(signal: AbortSignal): Promise<Counted[]> {
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
  profiles: readonly string[],
  statements: readonly Counted[],
): Figures {
  const shown = shownRows(rows);
  const { fsync, synchronous_commit } = server.durability;
  const heading = `fsync ${fsync}, synchronous_commit ${synchronous_commit}, ${seconds} s a row, load before ${load.toFixed(1)}`;
  const perRequest = table(
    ['traced request', 'RPCs', 'statements', 'ms beside the ranking statement'],
    Object.entries(traced).map(([what, cost]) => [what, cost.rpcs, cost.statements, round(cost.besideRankingMs)]),
  );
  return {
    json: { durability: server.durability, load, rows: shown, traced, statements },
    text: [
      heading,
      rowTable(shown),
      perRequest,
      ...profiles,
      ...statements.map(({ what, costs }) => statementTable(what, costs)),
    ].join('\n\n'),
  };
}
