import { readFile, stat } from 'node:fs/promises';
import { startProgress } from '@ces/cli/output/progress';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { DATABASE_SERVICES } from '@ces/topology/services';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { type Figures, goOn, runBenchmark } from '../support/bench.ts';
import { backdateAccounts, createPayer, createPayers, type Payer } from './history/accounts.ts';
import { type Compared, measureAlternately } from './history/alternately.ts';
import type { Draw } from './history/draw.ts';
import { pickSearches } from './history/kept.ts';
import { generatePostings } from './history/ledger-history.ts';
import { freshStretches, lastDay, monthsBefore, type Stretch } from './history/months.ts';
import { generateOperations } from './history/operations-history.ts';
import { generateRecord } from './history/record-history.ts';
import { report } from './history/report.ts';
import { type Asked, lookUpMany, requestSubjects } from './history/requests.ts';
import { slowStatements } from './history/slow-statements.ts';
import { type RunningSystem, type System, startSystem } from './history/system.ts';
import {
  DRIFT_CHECK,
  firstDriftCheck,
  measureScrapes,
  type Pair,
  passesUntilAfter,
  readTasks,
  taskSettings,
} from './history/tasks.ts';
import { findSubjects, makeTemplates, SEARCHES, type Subject, type Template } from './history/templates.ts';

const USAGE =
  'npm run lab -- history [--operations N] [--entries N] [--observations N] [--accounts N] [--samples N] [--task-seconds N] [--postings N] [--seed N] [--json FILE]';

const { values: options } = readArguments(USAGE, {
  operations: { type: 'string' },
  entries: { type: 'string' },
  observations: { type: 'string' },
  accounts: { type: 'string' },
  samples: { type: 'string' },
  'task-seconds': { type: 'string' },
  postings: { type: 'string' },
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
/** Between two passes of the drift check. */
const postings = atLeastOne(options.postings, 1_000);
const seed = atLeastOne(options.seed, 1);

const OBSERVATIONS_A_COMPANY = 20;
/** Of the day before, which both systems have: a pass over what is new has as much to do on either. */
const LAST_DAY = 40_000;
const ROUNDS_OF_POSTINGS = 3;
/** Of one subscription: the longest that a call may take. */
const VERIFY_WITHIN_MS = 120_000;
const KEPT_MS = 399 * 86_400_000;

await runBenchmark(measure, options.json);

/** Two systems that are equal but for their past, and all they do for a caller or by themselves, measured in turns. */
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
  const prepared = { empty: await prepare(empty, now, signal), history: await prepare(history, now, signal) };
  const { size: logStart } = await stat(history.logFile);
  const tasks = await measureTasks(systems, prepared, signal);
  const requests = await measureRequests(systems, prepared, now, signal);
  return report({
    seed,
    volume: { ...volume, lastDay: LAST_DAY },
    bytes: await readBytes(history),
    durability: { ...history.server.durability },
    tasks: tasks.compared,
    requests,
    differences: tasks.differences,
    slow: slowStatements((await readFile(history.logFile)).subarray(logStart).toString()),
    minutes: (performance.now() - begun) / 60_000,
  });
}

/** What a system has once its past is written. */
interface Prepared {
  readonly payers: readonly Payer[];
  readonly subjects: readonly Subject[];
  readonly templates: readonly Template[];
  readonly stretches: readonly Stretch[];
  readonly draw: Draw;
}

/** Sample, accounts and templates by the product's own calls, then the past by SQL, while no service runs. */
async function prepare(system: System, now: Date, signal: AbortSignal): Promise<Prepared> {
  const made = await makeByCalls(system, signal);
  const { payers, templates } = made;
  await backdateAccounts(system);
  const byMonth = system.name === 'history';
  const months = monthsBefore(now, volume);
  const stretches = byMonth ? [...months, lastDay(now, months, LAST_DAY)] : freshStretches(now, LAST_DAY);
  const draw = { seed, payers: payers.length, templates: templates.length, searches: SEARCHES };
  for (const [title, generate] of [
    ['operations', generateOperations],
    ['postings', generatePostings],
  ] as const) {
    using progress = startProgress(process.stderr, `${system.name}: ${title}`);
    const total = stretches.reduce((sum, { count }) => sum + count, 0);
    let done = 0;
    const onStretch = ({ count, from }: Stretch) => {
      goOn(signal);
      done += count;
      progress.at(from.toISOString().slice(0, 7), done / total);
    };
    await generate(system, { stretches, payers, templatePayer: made.templatePayer, draw, now, byMonth, onStretch });
  }
  return { payers, subjects: made.subjects, templates, stretches, draw };
}

async function makeByCalls(system: System, signal: AbortSignal) {
  await using running = await system.start({}, signal);
  const ledger = running.stack.client('ledger', LedgerAdminService);
  const payers = await createPayers(ledger, volume.accounts);
  const subjects = await findSubjects(system);
  const templatePayer = await createPayer(ledger);
  const templates = await makeTemplates(system, running.baseUrl, templatePayer, subjects);
  return { payers, subjects, templatePayer, templates };
}

async function measureTasks(
  systems: Pair<System>,
  prepared: Pair<Prepared>,
  signal: AbortSignal,
): Promise<{ readonly compared: Compared[]; readonly differences: readonly string[] }> {
  await using empty = await systems.empty.start(taskSettings('empty'), signal);
  await using history = await systems.history.start(taskSettings('history'), signal);
  const running = { empty, history };
  say('waiting for the first drift check');
  const first = await onBoth(running, (one) => firstDriftCheck(systems[one.name], one, signal));
  const from = Date.now();
  using progress = startProgress(process.stderr, 'periodic tasks');
  for (let second = 0; second < taskSeconds; second += 1) {
    goOn(signal);
    progress.at('idle', second / taskSeconds);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  const compared = await readTasks(running, from, Date.now());
  const afterPostings: Pair<number>[] = [];
  for (let round = 0; round < ROUNDS_OF_POSTINGS; round += 1) {
    progress.at(`${postings} new postings`, round / ROUNDS_OF_POSTINGS);
    afterPostings.push(
      await onBoth(running, async (one) => {
        const begun = Date.now();
        await lookUpMany(askedOf(one, prepared[one.name]), postings);
        return await passesUntilAfter(one, DRIFT_CHECK, [begun, Date.now()], signal);
      }),
    );
  }
  const notJudged = 'reads what no pass has read';
  return {
    compared: [
      { what: 'ledger: reconciliation, first pass', empty: [first.empty], history: [first.history], notJudged },
      ...compared,
      {
        what: `ledger: reconciliation, passes over ${postings} postings`,
        empty: afterPostings.map(({ empty: ms }) => ms),
        history: afterPostings.map(({ history: ms }) => ms),
      },
      ...(await measureScrapes(running, samples, signal)),
    ],
    differences: await verify(history, prepared.history.payers, signal),
  };
}

async function measureRequests(
  systems: Pair<System>,
  prepared: Pair<Prepared>,
  now: Date,
  signal: AbortSignal,
): Promise<Compared[]> {
  await using empty = await systems.empty.start({}, signal);
  await using history = await systems.history.start({}, signal);
  const asked = {
    empty: await withKept(systems.empty, askedOf(empty, prepared.empty), prepared.empty, now),
    history: await withKept(systems.history, askedOf(history, prepared.history), prepared.history, now),
  };
  const subjects = requestSubjects(asked);
  using progress = startProgress(process.stderr, 'requests');
  const compared: Compared[] = [];
  for (const [index, subject] of subjects.entries()) {
    progress.at(subject.what, index / subjects.length);
    compared.push(await measureAlternately(subject, samples, signal));
  }
  return compared;
}

function askedOf(running: RunningSystem, { payers, subjects }: Prepared): Asked {
  return { running, payers, subjects, young: [], old: [], retired: [] };
}

async function withKept(system: System, asked: Asked, prepared: Prepared, now: Date): Promise<Asked> {
  const { stretches, draw, payers, templates } = prepared;
  const oldest = stretches.find(({ isKept, count }) => isKept && count > 0);
  const retired = stretches.findLast(({ isKept, count }) => !isKept && count > 0);
  const pick = async (stretch: Stretch | undefined, since: Date) =>
    stretch ? await pickSearches(system, stretch, draw, payers, templates, { count: 2 * samples, now, since }) : [];
  return {
    ...asked,
    young: await pick(stretches.at(-1), new Date(0)),
    old: await pick(oldest, new Date(now.getTime() - KEPT_MS)),
    retired: await pick(retired, new Date(0)),
  };
}

/** What `ces ledger verify` finds. */
async function verify({ stack }: RunningSystem, payers: readonly Payer[], signal: AbortSignal): Promise<string[]> {
  const ledger = stack.client('ledger', LedgerAdminService, VERIFY_WITHIN_MS);
  using progress = startProgress(process.stderr, 'verifying the ledger');
  const found: string[] = [];
  for (const [index, { subscriptionId }] of payers.entries()) {
    goOn(signal);
    progress.at(`subscription ${subscriptionId}`, index / payers.length);
    const outcome = await ledger.verifyLedger({ subscriptionId }).then(
      ({ differences }) =>
        differences.map(({ operationId, description }) => `operation ${operationId}, ${description}`),
      (error: Error) => [error.message],
    );
    found.push(...outcome.map((difference) => `subscription ${subscriptionId}, ${difference}`));
  }
  return found;
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

async function onBoth<T>(running: Pair<RunningSystem>, work: (one: RunningSystem) => Promise<T>): Promise<Pair<T>> {
  return { empty: await work(running.empty), history: await work(running.history) };
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
