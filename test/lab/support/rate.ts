import { percentile } from './figures.ts';

/** Excluded from the measurement. */
const WARM_UP_MS = 2_000;

export interface Rate {
  readonly perSecond: number;
  readonly p50?: number;
  readonly p99?: number;
  readonly processorMs?: { readonly ledger: number; readonly postgres: number; readonly callers: number };
}

/** Runs `step` in `callers` concurrent loops. After a warm-up, counts completions for `seconds`. */
export async function rateOf(callers: number, seconds: number, step: (caller: number) => Promise<void>): Promise<Rate> {
  const from = performance.now() + WARM_UP_MS;
  const until = from + seconds * 1000;
  const times: number[] = [];
  const loop = async (caller: number) => {
    for (let begun = performance.now(); begun < until; ) {
      await step(caller);
      const ended = performance.now();
      if (ended >= from && ended < until) times.push(ended - begun);
      begun = ended;
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => loop(caller)));
  return { perSecond: times.length / seconds, p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

export function medianRate(rounds: readonly Rate[]): Rate {
  const sorted = rounds.toSorted((a, b) => a.perSecond - b.perSecond);
  return sorted[Math.floor(sorted.length / 2)] ?? { perSecond: 0 };
}
