import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Random, seeded } from '../../../support/random.ts';
import { surface } from '../../../support/subscriber.ts';
import { COMPANIES_PER_WORD, hostOf, WORDS } from '../../load/evidence.ts';

export const KINDS = ['look-up', 'search'] as const;
export type Kind = (typeof KINDS)[number];

export interface Tally {
  readonly times: Record<Kind, number[]>;
  /** Calls by status. `lost` counts calls without an answer. */
  readonly statuses: Record<string, number>;
  withoutRetryAfter: number;
}

export interface ClientsOptions {
  readonly baseUrl: string;
  readonly tokens: readonly string[];
  readonly clients: number;
  readonly pauseMs: number;
  readonly seconds: number;
  readonly seed: string;
}

/** Runs closed-loop clients. Half of the calls are look-ups, half are searches. */
export async function callForAWhile(options: ClientsOptions): Promise<Tally> {
  const tally: Tally = { times: { 'look-up': [], search: [] }, statuses: {}, withoutRetryAfter: 0 };
  const until = performance.now() + options.seconds * 1000;
  const client = async (at: number) => {
    const token = options.tokens[at % options.tokens.length] ?? '';
    const random = seeded(`${options.seed}/client ${at}`);
    while (performance.now() < until) {
      await callOnce(surface(options.baseUrl, token), random, tally);
      if (options.pauseMs > 0) await pause(options.pauseMs);
    }
  };
  await Promise.all(Array.from({ length: options.clients }, (_, at) => client(at)));
  return tally;
}

async function callOnce(caller: ReturnType<typeof surface>, random: Random, tally: Tally): Promise<void> {
  const word = random.pick(WORDS);
  const kind = random.pick(KINDS);
  const begun = performance.now();
  const call =
    kind === 'look-up'
      ? caller.lookUp({ domains: [hostOf(`base${WORDS.indexOf(word)}x${random.below(COMPANIES_PER_WORD)}`)] })
      : caller.search({ query: word, limit: 3 }, randomUUID());
  const answer = await call.catch((error: Error) => error);
  const status = answer instanceof Error ? 'lost' : String(answer.status);
  tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
  if (status === '200' || status === '202') tally.times[kind].push(performance.now() - begun);
  if (!(answer instanceof Error) && status === '503' && !answer.headers.has('retry-after'))
    tally.withoutRetryAfter += 1;
}
