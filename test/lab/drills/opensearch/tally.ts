import type { Ending, Searched } from './search-for.ts';

export interface Tally {
  readonly searches: number;
  readonly endings: Readonly<Record<Ending, number>>;
  readonly withdrawnShown: number;
  /** The longest time without a complete or partial answer. */
  readonly longestSilenceMs: number;
  readonly reasons: readonly string[];
}

export function tallyOf(searched: readonly Searched[]): Tally {
  const endings: Record<Ending, number> = { ok: 0, partial: 0, unavailable: 0, wrong: 0, failed: 0 };
  const reasons = new Map<Ending, string>();
  for (const { ending, reason } of searched) {
    endings[ending] += 1;
    if (reason && !reasons.has(ending)) reasons.set(ending, reason);
  }
  return {
    searches: searched.length,
    endings,
    withdrawnShown: searched.filter(({ withdrawn }) => withdrawn.length > 0).length,
    longestSilenceMs: longestSilence(searched),
    reasons: [...reasons].map(([ending, reason]) => `${ending}: ${reason}`),
  };
}

/** Measures from the end of one answered search to the end of the next. */
function longestSilence(searched: readonly Searched[]): number {
  const ends = searched
    .filter(({ ending }) => ending !== 'unavailable' && ending !== 'failed')
    .map(({ at, ms }) => at + ms)
    .toSorted((a, b) => a - b);
  return Math.max(0, ...ends.slice(1).map((end, at) => end - (ends[at] ?? end)));
}
