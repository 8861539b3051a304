import os from 'node:os';
import { PostingBatcher } from '@ces/operations/ledger/posting-batcher';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { type Figures, goOn, runBenchmark } from '../support/bench.ts';
import { familySeconds, processorSeconds } from '../support/processor-time.ts';
import { medianRate, type Rate } from '../support/rate.ts';
import { type BenchServer, startBenchServer } from '../support/server.ts';
import { prepareCommits } from './ledger/commits.ts';
import { measureLookUps } from './ledger/look-ups.ts';
import { makePayers, pairsInside, pairsOverRpc } from './ledger/pairs.ts';
import { type Measured, report } from './ledger/report.ts';
import { type LedgerProcess, startLedgerProcess } from './ledger/service.ts';

const USAGE =
  'npm run lab -- ledger [--seconds N] [--rounds N] [--callers N] [--subscriptions N] [--only NAME,NAME] ' +
  '[--json FILE]';

const { values: options } = readArguments(USAGE, {
  seconds: { type: 'string' },
  rounds: { type: 'string' },
  callers: { type: 'string' },
  subscriptions: { type: 'string' },
  only: { type: 'string' },
  json: { type: 'string' },
});
const seconds = atLeastOne(options.seconds, 5);
const rounds = atLeastOne(options.rounds, 3);
const callers = atLeastOne(options.callers, 150);
const subscriptions = atLeastOne(options.subscriptions, 200);
/** Few clients commit fastest on one row. Many clients make the server group commits. */
const FEW = 4;
const MANY = 50;

await runBenchmark(measure, options.json);

/**
 * Runs everything on one Postgres. Alternates the compared measurements, so that both see the same
 * machine.
 */
async function measure(signal: AbortSignal): Promise<Figures> {
  const load = os.loadavg()[0] ?? 0;
  await using server = await startBenchServer();
  const measured = new Map<Measured, Rate>(await measureLedger(server, signal));
  if (isWanted('look_ups_hot'))
    measured.set('look_ups_hot', await measureLookUps(server, callers, seconds * rounds, signal));
  return report({ callers, subscriptions, seconds, rounds, load, durability: server.durability, measured });
}

async function measureLedger(server: BenchServer, signal: AbortSignal): Promise<ReadonlyMap<Measured, Rate>> {
  const databaseUrl = server.databases.get('ledger')?.url ?? '';
  await using service = await startLedgerProcess(server);
  const ledger = service.client(LedgerService, 'operations');
  const shared = new PostingBatcher(ledger);
  const payers = await makePayers(service, subscriptions);
  const hot = payers.slice(0, 1);
  const commits = await prepareCommits(server, subscriptions);
  const work: Readonly<Record<Exclude<Measured, 'look_ups_hot'>, () => Promise<Rate>>> = {
    pairs_hot: () => pairsOverRpc(ledger, hot, callers, seconds),
    pairs_hot_shared: () => pairsOverRpc(shared, hot, callers, seconds),
    commits_one_row: () => commits(1, FEW, seconds),
    pairs_hot_inside: () => pairsInside(databaseUrl, hot, callers, seconds),
    pairs_spread: () => pairsOverRpc(ledger, payers, Math.max(callers, subscriptions), seconds),
    pairs_spread_shared: () => pairsOverRpc(shared, payers, Math.max(callers, subscriptions), seconds),
    commits_many_rows: () => commits(subscriptions, MANY, seconds),
  };
  const seen = new Map<Measured, Rate[]>();
  for (let round = 0; round < rounds; round += 1)
    for (const [name, run] of Object.entries(work) as [Measured, () => Promise<Rate>][]) {
      if (!isWanted(name)) continue;
      goOn(signal);
      const rate = await withProcessorTime(server, service, run);
      process.stderr.write(`round ${round + 1}  ${name}  ${Math.round(rate.perSecond)}\n`);
      seen.set(name, [...(seen.get(name) ?? []), rate]);
    }
  return new Map([...seen].map(([name, rates]) => [name, medianRate(rates)]));
}

function isWanted(name: Measured): boolean {
  return options.only === undefined || options.only.split(',').includes(name);
}

async function withProcessorTime(server: BenchServer, service: LedgerProcess, run: () => Promise<Rate>): Promise<Rate> {
  const now = () => ({
    ledger: processorSeconds(service.pid),
    postgres: familySeconds(server.pid),
    callers: processorSeconds(process.pid),
    at: performance.now(),
  });
  const before = now();
  const rate = await run();
  const after = now();
  const done = (rate.perSecond * (after.at - before.at)) / 1000;
  const each = (name: 'ledger' | 'postgres' | 'callers') => ((after[name] - before[name]) * 1000) / done;
  return { ...rate, processorMs: { ledger: each('ledger'), postgres: each('postgres'), callers: each('callers') } };
}
