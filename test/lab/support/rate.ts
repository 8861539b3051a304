import { percentile } from './figures.ts';

/** Callers get under way before anything counts, in milliseconds. */
const WARM_UP_MS = 2_000;

/** What one measurement saw. */
export interface Rate {
  /** Completed a second. */
  readonly perSecond: number;
  /** Median and 99th percentile of one, in milliseconds; absent where they are not known. */
  readonly p50?: number;
  readonly p99?: number;
  /** Processor time of one, in milliseconds. */
  readonly processorMs?: { readonly ledger: number; readonly postgres: number; readonly callers: number };
}

/** Runs `step` in `callers` endless loops for `seconds` after a short start, and counts what is completed within them. */
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

/** The round in the middle. */
export function medianRate(rounds: readonly Rate[]): Rate {
  const sorted = rounds.toSorted((a, b) => a.perSecond - b.perSecond);
  return sorted[Math.floor(sorted.length / 2)] ?? { perSecond: 0 };
}
