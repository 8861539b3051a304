import os from 'node:os';
import { table } from '@ces/cli/output/table';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { type Figures, goOn, runBenchmark } from '../support/bench.ts';
import { Caller } from '../support/caller.ts';
import { type BenchServer, startBenchServer } from '../support/server.ts';
import { startBareHandler } from './overhead/bare-handler.ts';
import { readTraceCosts, type TraceCosts } from './overhead/costs.ts';
import { BARE, measureRow, type Row, round, rowTable, type Subject, shownRows } from './overhead/rows.ts';
import { type Service, startService } from './overhead/service.ts';

const USAGE = 'npm run lab -- overhead [--seconds N] [--clients 1,16,64] [--json FILE]';
const SECONDS = 8;
const CLIENTS = '1,16,64';
/** The default sampling ratio if an operator configures only a collector. */
const DEFAULT_RATIO = 0.05;
const TRACED_REQUESTS = 100;

const { values: options } = readArguments(USAGE, {
  seconds: { type: 'string' },
  clients: { type: 'string' },
  json: { type: 'string' },
});
const seconds = atLeastOne(options.seconds, SECONDS);
const clients = (options.clients ?? CLIENTS).split(',').map((text) => atLeastOne(text, 1));
const load = os.loadavg()[0] ?? 0;

await runBenchmark(measure, options.json);

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
  return report(server, rows, await traceSome(server, signal));
}

/** Traces every request of one client to show where the time goes. */
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

function report(server: BenchServer, rows: readonly Row[], traced: Record<'lookUp' | 'search', TraceCosts>): Figures {
  const shown = shownRows(rows);
  const { fsync, synchronous_commit } = server.durability;
  const heading = `fsync ${fsync}, synchronous_commit ${synchronous_commit}, ${seconds} s a row, load before ${load.toFixed(1)}`;
  const perRequest = table(
    ['traced request', 'RPCs', 'statements', 'ms beside the ranking statement'],
    Object.entries(traced).map(([what, cost]) => [what, cost.rpcs, cost.statements, round(cost.besideRankingMs)]),
  );
  return {
    json: { durability: server.durability, load, rows: shown, traced },
    text: [heading, rowTable(shown), perRequest].join('\n\n'),
  };
}
