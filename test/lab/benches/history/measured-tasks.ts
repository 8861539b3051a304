import { startProgress } from '@ces/cli/output/progress';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { goOn } from '../../support/bench.ts';
import type { Payer } from './accounts.ts';
import type { Compared } from './alternately.ts';
import type { Prepared } from './prepare.ts';
import { askedOf, lookUpMany } from './requests.ts';
import type { RunningSystem, System } from './system.ts';
import {
  DRIFT_CHECK,
  firstDriftCheck,
  measureScrapes,
  type Pair,
  passesUntilAfter,
  readTasks,
  taskSettings,
} from './tasks.ts';

const ROUNDS_OF_POSTINGS = 3;
const VERIFY_WITHIN_MS = 120_000;

export interface TaskSamples {
  readonly seconds: number;
  readonly postings: number;
  readonly scrapes: number;
  /** Number of subscriptions to verify, starting with those that have the fewest postings. */
  readonly verified: number;
}

export async function measureTasks(
  systems: Pair<System>,
  prepared: Pair<Prepared>,
  { seconds, postings, scrapes, verified }: TaskSamples,
  signal: AbortSignal,
): Promise<{ readonly compared: Compared[]; readonly differences: readonly string[] }> {
  await using empty = await systems.empty.start(taskSettings('empty'), signal);
  await using history = await systems.history.start(taskSettings('history'), signal);
  const running = { empty, history };
  process.stderr.write('waiting for the first drift check\n');
  const first = await onBoth(running, (one) => firstDriftCheck(systems[one.name], one, signal));
  const from = Date.now();
  using progress = startProgress(process.stderr, 'periodic tasks');
  for (let second = 0; second < seconds; second += 1) {
    goOn(signal);
    progress.at('idle', second / seconds);
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
  const notJudged = 'adds every counter up';
  return {
    compared: [
      { what: 'ledger: reconciliation, first pass', empty: [first.empty], history: [first.history], notJudged },
      ...compared,
      {
        what: `ledger: reconciliation, passes over ${postings} postings`,
        empty: afterPostings.map(({ empty: ms }) => ms),
        history: afterPostings.map(({ history: ms }) => ms),
      },
      ...(await measureScrapes(running, scrapes, signal)),
    ],
    differences: await verify(history, prepared.history.payers.slice(-verified), signal),
  };
}

async function onBoth<T>(running: Pair<RunningSystem>, work: (one: RunningSystem) => Promise<T>): Promise<Pair<T>> {
  return { empty: await work(running.empty), history: await work(running.history) };
}

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
