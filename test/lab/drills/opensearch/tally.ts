import type { Ending, Searched } from './search-for.ts';

export interface Tally {
  readonly searches: number;
  readonly endings: Readonly<Record<Ending, number>>;
  /** From the first stale answer to the last. */
  readonly staleMs: number;
  /** The longest time without a complete or partial answer. */
  readonly longestSilenceMs: number;
  readonly reasons: readonly string[];
}

export function tallyOf(searched: readonly Searched[]): Tally {
  const endings: Record<Ending, number> = { ok: 0, partial: 0, unavailable: 0, stale: 0, failed: 0 };
  const reasons = new Map<Ending, string>();
  for (const { ending, reason } of searched) {
    endings[ending] += 1;
    if (reason && !reasons.has(ending)) reasons.set(ending, reason);
  }
  return {
    searches: searched.length,
    endings,
    staleMs: spanOf(searched.filter(({ ending }) => ending === 'stale').map(({ at }) => at)),
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

function spanOf(instants: readonly number[]): number {
  return instants.length === 0 ? 0 : Math.max(...instants) - Math.min(...instants);
}
