import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../../support/random.ts';
import type { Attempt } from '../../load/attempt.ts';
import { type Door, lookUp, poll, search } from '../../load/client.ts';

export interface TrafficOptions {
  /** Calls started a second, regardless of answers (open loop). */
  readonly rate: number;
  readonly doors: readonly Door[];
  readonly random: Random;
  readonly words: readonly string[];
  readonly domains: readonly string[];
  readonly name?: string;
  readonly then?: ((attempt: Attempt) => Promise<void>) | undefined;
}

export async function runTraffic(options: TrafficOptions, signal: AbortSignal): Promise<readonly Attempt[]> {
  const { name = 'traffic' } = options;
  const calls: Promise<Attempt>[] = [];
  const seen: number[] = [];
  const begun = performance.now();
  for (let at = 0; !signal.aborted; at += 1) {
    const call = callOnce(options, `${name}-${at}`, seen);
    calls.push(finish(call, options.then));
    void call.then(({ outcome }) => {
      if (outcome.kind === 'answer' && outcome.body.usage) seen.push(outcome.body.usage.id);
    });
    await pause(Math.max(0, begun + ((at + 1) * 1_000) / options.rate - performance.now()));
  }
  return await Promise.all(calls);
}

async function finish(call: Promise<Attempt>, then: TrafficOptions['then']): Promise<Attempt> {
  const attempt = await call;
  await then?.(attempt);
  return attempt;
}

/** Of twenty calls, nine search, five look up, three search in the background and three poll. */
function callOnce({ doors, random, words, domains }: TrafficOptions, key: string, seen: readonly number[]) {
  const door: Door = { ...random.pick(doors), surface: random.chance(0.5) ? 'rest' : 'mcp' };
  const kind = random.below(20);
  const limit = 1 + random.below(5);
  if (kind < 9) return search(door, { query: random.pick(words), limit }, key);
  if (kind < 14) return lookUp(door, [random.pick(domains)], key);
  const id = seen[random.below(seen.length)];
  if (kind < 17 || id === undefined) return search(door, { query: random.pick(words), limit, background: true }, key);
  return poll(door, id);
}

/** Calls that got neither a result nor 202. */
export function failedCalls(attempts: readonly Attempt[]): string[] {
  return attempts.flatMap(({ outcome, action, surface, key, sentAt, receivedAt }) => {
    if (outcome.kind === 'answer' && (outcome.status === 200 || outcome.status === 202)) return [];
    const what = outcome.kind === 'lost' ? outcome.reason : `${outcome.status} ${JSON.stringify(outcome.body)}`;
    return [`${action} over ${surface} (${key}) after ${receivedAt - sentAt} ms: ${what}`];
  });
}

/** The percentile of the durations in ms. `share` is in percent. */
export function percentile(attempts: readonly Attempt[], share: number): number {
  const times = attempts.map(({ sentAt, receivedAt }) => receivedAt - sentAt).sort((a, b) => a - b);
  return times[Math.min(times.length - 1, Math.floor((times.length * share) / 100))] ?? 0;
}
