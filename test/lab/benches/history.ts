import { startProgress } from '@ces/cli/output/progress';
import { DATABASE_SERVICES } from '@ces/topology/services';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { type Figures, goOn, runBenchmark } from '../support/bench.ts';
import { measureRequests } from './history/measured-requests.ts';
import { measureTasks } from './history/measured-tasks.ts';
import { prepare } from './history/prepare.ts';
import { generateRecord } from './history/record-history.ts';
import { report } from './history/report.ts';
import { type System, startSystem } from './history/system.ts';

const USAGE =
  'npm run lab -- history [--operations N] [--entries N] [--observations N] [--accounts N] [--samples N] [--task-seconds N] [--postings N] [--verified N] [--seed N] [--json FILE]';

const { values: options } = readArguments(USAGE, {
  operations: { type: 'string' },
  entries: { type: 'string' },
  observations: { type: 'string' },
  accounts: { type: 'string' },
  samples: { type: 'string' },
  'task-seconds': { type: 'string' },
  postings: { type: 'string' },
  verified: { type: 'string' },
  seed: { type: 'string' },
  json: { type: 'string' },
});

const volume = {
  operations: atLeastOne(options.operations, 200_000),
  entries: atLeastOne(options.entries, 500_000),
  observations: atLeastOne(options.observations, 50_000),
  accounts: Math.max(60, atLeastOne(options.accounts, 200)),
};
const samples = atLeastOne(options.samples, 60);
const taskSeconds = atLeastOne(options['task-seconds'], 60);
const postings = atLeastOne(options.postings, 1_000);
/**
 * `ces ledger verify` reads this many subscriptions, starting with those that have the fewest
 * postings.
 */
const verified = Math.min(volume.accounts, atLeastOne(options.verified, volume.accounts));
const seed = atLeastOne(options.seed, 1);

const OBSERVATIONS_A_COMPANY = 20;
const LAST_DAY = 40_000;

await runBenchmark(measure, options.json);

/**
 * Compares two systems that differ only in the length of their history. Measures requests and
 * periodic tasks alternately.
 */
async function measure(signal: AbortSignal): Promise<Figures> {
  const begun = performance.now();
  const now = new Date();
  await using empty = await startSystem('empty');
  await using history = await startSystem('history');
  const systems = { empty, history };
  const { observations } = volume;
  {
    using progress = startProgress(process.stderr, 'record');
    const companies = Math.ceil(observations / OBSERVATIONS_A_COMPANY);
    await generateRecord(history, { observations, companies, seed }, now, (month) => {
      goOn(signal);
      progress.at(`month ${month + 1} of 24`, (month + 1) / 24);
    });
  }
  const past = { ...volume, lastDay: LAST_DAY, seed };
  const prepared = {
    empty: await prepare(empty, past, now, signal),
    history: await prepare(history, past, now, signal),
  };
  const tasks = await measureTasks(
    systems,
    prepared,
    { seconds: taskSeconds, postings, scrapes: samples, verified },
    signal,
  );
  const requests = await measureRequests(systems, prepared, { samples, now }, signal);
  return report({
    seed,
    volume: { ...volume, lastDay: LAST_DAY },
    bytes: await readBytes(history),
    durability: { ...history.server.durability },
    tasks: tasks.compared,
    requests,
    verified,
    differences: tasks.differences,
    minutes: (performance.now() - begun) / 60_000,
  });
}

async function readBytes(system: System): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const { name } of DATABASE_SERVICES) {
    await using client = await system.connect(name);
    const { rows } = await client.query<{ bytes: string }>(
      'select pg_database_size(current_database())::text as bytes',
    );
    sizes[name] = Number(rows[0]?.bytes ?? 0);
  }
  return sizes;
}
