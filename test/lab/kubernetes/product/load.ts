import { setTimeout as pause } from 'node:timers/promises';
import { seeded } from '../../../support/random.ts';
import type { FaultWindow } from '../../checks/faults.ts';
import { failedCalls, percentile, runTraffic, type TrafficOptions } from '../../drills/rolling/traffic.ts';
import type { Attempt } from '../../load/attempt.ts';
import { type Door, doorsOf, lookUp, search } from '../../load/client.ts';
import { HOSTS, populate, WORDS } from '../../load/evidence.ts';
import { type Account, AMPLE, createAccount } from '../../load/subscribers.ts';
import type { Report, Seen } from '../report.ts';
import { openWays, type Product, secretsOf } from './product.ts';

const ALONGSIDE_MS = 3_000;
const REPEATED_EVERY_MS = 1_000;
/** Promise R18: time in which a service recovers. */
const ANSWERED_WITHIN_MS = 60_000;

export interface Subscriber {
  readonly baseUrl: string;
  readonly account: Account;
  readonly attempts: Attempt[];
  readonly faultWindows: FaultWindow[];
  call(name: string, options?: Pick<TrafficOptions, 'then'>): Load;
}

interface Load {
  stop(): Promise<readonly Attempt[]>;
}

export type UnderCalls = (row: string, change: () => Promise<Seen | undefined>) => Promise<boolean>;

export async function subscribe(product: Product, seed: string, rate: number): Promise<Subscriber> {
  await using ways = await openWays(['ledger', 'lookup', 'search']);
  const { CES_RPC_TOKEN: token = '' } = await secretsOf(product.folder, 'admin');
  const { ledger } = await populate({ urlOf: ways.urlOf, secrets: { admin_token: token } });
  const account = await createAccount(ledger, AMPLE, 2);
  const { proxyUrl: baseUrl } = product;
  const doors = doorsOf([baseUrl], [account]);
  const attempts: Attempt[] = [];
  return {
    ...{ baseUrl, account, attempts, faultWindows: [] },
    call(name, { then } = {}) {
      const closing = new AbortController();
      const options = { rate, doors, random: seeded(seed).branch(name), words: WORDS, domains: HOSTS, name, then };
      const calls = runTraffic(options, closing.signal);
      return {
        async stop() {
          closing.abort();
          const all = await calls;
          attempts.push(...all);
          return all;
        },
      };
    },
  };
}

/** For operator actions: no call may fail. */
export function noneFails(subscriber: Subscriber, report: Report): UnderCalls {
  return (row, change) =>
    report.row(row, async () => {
      const { attempts, seen } = await whileCalled(subscriber, row, change);
      return {
        figures: { ...seen.figures, ...figuresOf(attempts) },
        faults: [...(seen.faults ?? []), ...failedCalls(attempts)],
      };
    });
}

/**
 * For faults: a call may fail, but must succeed when its client immediately retries it with the
 * same idempotency key.
 */
export function eachIsAnswered(subscriber: Subscriber, report: Report): UnderCalls {
  return (row, change) =>
    report.row(row, async () => {
      const from = Date.now();
      const waits: number[] = [];
      const unanswered: Attempt[] = [];
      const again = async (first: Attempt) => {
        if (failedCalls([first]).length === 0) return;
        const last = await retryUntilAnswered(subscriber, first);
        if (last) waits.push(last.receivedAt - first.sentAt);
        if (last && failedCalls([last]).length > 0) unanswered.push(last);
      };
      const { attempts, seen } = await whileCalled(subscriber, row, change, again);
      subscriber.faultWindows.push({ from, to: Date.now() });
      const longest = waits.length === 0 ? {} : { 'answered again within, s': Math.round(Math.max(...waits) / 1_000) };
      return {
        figures: { ...seen.figures, ...figuresOf(attempts), ...longest },
        faults: [...(seen.faults ?? []), ...failedCalls(unanswered)],
      };
    });
}

async function whileCalled(
  subscriber: Subscriber,
  name: string,
  change: () => Promise<Seen | undefined>,
  then?: TrafficOptions['then'],
) {
  const load = subscriber.call(name, { then });
  await pause(ALONGSIDE_MS);
  const seen = await change().then(
    (one) => one ?? {},
    (error: Error): Seen => ({ faults: [error.message] }),
  );
  await pause(ALONGSIDE_MS);
  return { seen, attempts: await load.stop() };
}

/**
 * Retries a call with its idempotency key until it is answered or times out. Returns the last try.
 * Polls have no key and are not retried.
 */
async function retryUntilAnswered(subscriber: Subscriber, attempt: Attempt): Promise<Attempt | undefined> {
  for (const begun = performance.now(); ; await pause(REPEATED_EVERY_MS)) {
    const again = await repeat(subscriber, attempt);
    if (again === undefined) return undefined;
    subscriber.attempts.push(again);
    if (failedCalls([again]).length === 0 || performance.now() - begun > ANSWERED_WITHIN_MS) return again;
  }
}

/** Sends a call again under its idempotency key. Polls have none. */
export async function repeat({ baseUrl, account }: Subscriber, attempt: Attempt): Promise<Attempt | undefined> {
  const { key, input, action, accountId, surface } = attempt;
  if (key === undefined || input === undefined) return undefined;
  const door: Door = { baseUrl, token: account.tokens[0] ?? '', accountId, surface };
  return await (action === 'company_lookup' ? lookUp : search)(door, JSON.parse(input), key);
}

export function figuresOf(attempts: readonly Attempt[]) {
  return {
    calls: attempts.length,
    failed: failedCalls(attempts).length,
    'p50, ms': percentile(attempts, 50),
    'p99, ms': percentile(attempts, 99),
  };
}
