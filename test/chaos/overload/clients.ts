import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { surface } from '../../support/subscriber.ts';
import { COMPANIES_PER_WORD, hostOf, WORDS } from '../load/evidence.ts';
import type { Random } from '../random.ts';

/** What many calls came to. */
export interface Tally {
  /** Milliseconds of each call that was accepted. */
  readonly times: number[];
  readonly statuses: Map<string, number>;
  /** Refusals with 503 that did not say when to come back. */
  withoutRetryAfter: number;
}

export interface ClientsOptions {
  readonly baseUrl: string;
  /** Clients take them in turn. */
  readonly tokens: readonly string[];
  readonly clients: number;
  /** Between two calls of a client. */
  readonly pauseMs: number;
  readonly random: Random;
}

/** Closed-loop clients, half look-ups and half searches, until `until` ends. */
export async function callUntil(until: Promise<unknown>, options: ClientsOptions): Promise<Tally> {
  const tally: Tally = { times: [], statuses: new Map(), withoutRetryAfter: 0 };
  let ended = false;
  const isEnded = () => ended;
  void until.then(() => {
    ended = true;
  });
  const client = async (at: number) => {
    const token = options.tokens[at % options.tokens.length] ?? '';
    const random = options.random.branch(`client ${at}`);
    while (!isEnded()) {
      await callOnce(surface(options.baseUrl, token), random, tally);
      if (options.pauseMs > 0) await pause(options.pauseMs);
    }
  };
  await Promise.all(Array.from({ length: options.clients }, (_, at) => client(at)));
  return tally;
}

async function callOnce(caller: ReturnType<typeof surface>, random: Random, tally: Tally): Promise<void> {
  const word = random.pick(WORDS);
  const begun = performance.now();
  const call = random.chance(0.5)
    ? caller.lookUp({ domains: [hostOf(`base${WORDS.indexOf(word)}x${random.below(COMPANIES_PER_WORD)}`)] })
    : caller.search({ query: word, limit: 3 }, randomUUID());
  const answer = await call.catch((error: Error) => error);
  const status = answer instanceof Error ? 'lost' : String(answer.status);
  tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
  if (status === '200' || status === '202') tally.times.push(performance.now() - begun);
  if (!(answer instanceof Error) && status === '503' && !answer.headers.has('retry-after'))
    tally.withoutRetryAfter += 1;
}
