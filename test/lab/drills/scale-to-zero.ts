import { setTimeout as pause } from 'node:timers/promises';
import { seeded } from '../../support/random.ts';
import type { FaultWindow } from '../checks/faults.ts';
import { type Answered, type Attempt, isAnswered } from '../load/attempt.ts';
import { lookUp, poll, search } from '../load/client.ts';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { judge } from './rolling/judge.ts';
import type { Replicas } from './rolling/replicas.ts';
import { type ReplicatedStack, startReplicatedStack } from './rolling/replicated-stack.ts';

const USAGE = 'npm run lab -- scale-to-zero [--seconds AWAY] [--rate CALLS_A_SECOND] [--seed S]';
const { values } = readArguments(USAGE, {
  seconds: { type: 'string' },
  rate: { type: 'string' },
  seed: { type: 'string' },
});
const seconds = atLeastOne(values.seconds, 6);
const rate = atLeastOne(values.rate, 20);
const seed = values.seed ?? String(Date.now());

const PROCESSES = 2;
const SETTINGS = {
  CES_DRAIN_DELAY_MS: '1000',
  CES_OPERATIONS_LEASE_MS: '2000',
  CES_OPERATIONS_HEARTBEAT_MS: '500',
  CES_OPERATIONS_SWEEP_INTERVAL_MS: '500',
};
/** All calls need a gateway. Without one, the Ingress controller would answer. */
const STAYS = 'gateway';

process.exitCode = await main();

async function main(): Promise<number> {
  const repeat = `npm run lab -- scale-to-zero --seconds ${seconds} --rate ${rate} --seed ${seed}`;
  console.log(`scale to zero: ${seconds} s each, ${rate} calls a second, seed ${seed}; repeat with ${repeat}`);
  await using stack = await startReplicatedStack({ processes: PROCESSES, random: seeded(seed), settings: SETTINGS });
  const stop = new AbortController();
  const traffic = stack.traffic(rate, stop.signal);
  await pause(2_000);
  const away: Away[] = [];
  for (const one of stack.replicas.filter(({ name }) => name !== STAYS)) away.push(await takeAway(one));
  await pause(2_000);
  stop.abort();
  const attempts = await traffic;
  const again = await callAgain(stack, attempts);
  return await conclude(stack, { attempts, again, away, repeat });
}

interface Away {
  readonly name: string;
  readonly window: FaultWindow;
}

async function takeAway(one: Replicas): Promise<Away> {
  const from = Date.now();
  await one.scaleToZero();
  await pause(seconds * 1_000);
  await one.scaleTo(PROCESSES);
  const to = Date.now();
  await pause(2_000);
  return { name: one.name, window: { from, to } };
}

/** Repeats every refused call with its idempotency key, as the answer advises. */
async function callAgain(
  { account, balancers }: ReplicatedStack,
  attempts: readonly Attempt[],
): Promise<readonly Attempt[]> {
  const door = doorOf({ account, balancers });
  const again: Attempt[] = [];
  for (const { action, input, key } of turnedAway(attempts)) {
    if (input === undefined || key === undefined) continue;
    const said = JSON.parse(input);
    again.push(await (action === 'company_lookup' ? lookUp(door, said, key) : search(door, said, key)));
  }
  return again;
}

function doorOf({ account, balancers }: Pick<ReplicatedStack, 'account' | 'balancers'>) {
  return {
    baseUrl: `http://127.0.0.1:${balancers.get(STAYS)?.port}`,
    surface: 'rest' as const,
    token: account.tokens[0] ?? '',
    accountId: account.accountId,
  };
}

/**
 * Finds accepted operations that failed. Waiting for another service does not count as an attempt
 * (promise R34).
 */
async function findFailed(stack: ReplicatedStack, attempts: readonly Attempt[]): Promise<string[]> {
  const ids = new Set(attempts.filter(isAnswered).flatMap(({ outcome }) => outcome.body.usage?.id ?? []));
  const failed: string[] = [];
  for (const id of ids) {
    const { outcome } = await poll(doorOf(stack), id);
    if (outcome.kind !== 'answer' || outcome.status !== 200) failed.push(`operation ${id}: ${JSON.stringify(outcome)}`);
  }
  console.log(`${ids.size} operations accepted, ${failed.length} of them not delivered`);
  return failed;
}

function turnedAway(attempts: readonly Attempt[]): readonly Answered[] {
  return attempts.filter(isAnswered).filter(({ outcome }) => outcome.status === 503);
}

interface End {
  readonly attempts: readonly Attempt[];
  readonly again: readonly Attempt[];
  readonly away: readonly Away[];
  readonly repeat: string;
}

async function conclude(stack: ReplicatedStack, { attempts, again, away, repeat }: End): Promise<number> {
  const windows = away.map(({ window }) => window);
  const faults = [
    ...attempts.flatMap(otherThanDocumented),
    ...again.flatMap(notFinished),
    ...(turnedAway(attempts).length === 0 ? ['no call was rejected: the drill proves nothing'] : []),
    ...stack.replicas.flatMap(({ name, ends }) =>
      ends.filter((end) => end !== 0).map((end) => `${name} ended with ${end}`),
    ),
    ...(await judge(stack, [...attempts, ...again], windows)),
    ...(await findFailed(stack, [...attempts, ...again])),
  ];
  for (const { name, window } of away)
    console.log(`${name} away ${window.to - window.from} ms: ${summary(attempts, window)}`);
  for (const fault of faults.slice(0, 40)) console.log(fault);
  console.log(
    `${attempts.length} calls, ${turnedAway(attempts).length} turned away and called again under their keys, ${faults.length} violations`,
  );
  if (faults.length === 0) return 0;
  stack.servers.keepFiles();
  console.log(`logs are in ${stack.servers.directory}; repeat with ${repeat}`);
  return 1;
}

/** Allows a result, 202, or 503 with Retry-After (check C10), but never a missing answer. */
function otherThanDocumented({ outcome, action, surface, key }: Attempt): string[] {
  if (outcome.kind === 'answer' && [200, 202, 503].includes(outcome.status)) return [];
  const what = outcome.kind === 'lost' ? outcome.reason : `${outcome.status} ${JSON.stringify(outcome.body)}`;
  return [`${action} over ${surface} (${key}): ${what}`];
}

function notFinished({ outcome, action, key }: Attempt): string[] {
  if (outcome.kind === 'answer' && [200, 202].includes(outcome.status)) return [];
  return [`${action} (${key}) called again: ${JSON.stringify(outcome)}`];
}

function summary(attempts: readonly Attempt[], { from, to }: FaultWindow): string {
  const counts: Record<string, number> = {};
  for (const { sentAt, outcome } of attempts) {
    if (sentAt < from || sentAt > to) continue;
    const name = outcome.kind === 'lost' ? 'lost' : String(outcome.status);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return JSON.stringify(counts);
}
