import type { Ending, Searched } from './search-for.ts';

/** What searches of one drill came to. */
export interface Tally {
  readonly searches: number;
  readonly endings: Readonly<Record<Ending, number>>;
  /** Answers that showed what was withdrawn. */
  readonly withdrawnShown: number;
  /** The longest time in which no search was answered, whole or partial. */
  readonly longestSilenceMs: number;
  /** One reason for each ending that is not as it should be. */
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

/** Between two searches that were answered, from the end of one to the end of the other. */
function longestSilence(searched: readonly Searched[]): number {
  const ends = searched
    .filter(({ ending }) => ending !== 'unavailable' && ending !== 'failed')
    .map(({ at, ms }) => at + ms)
    .toSorted((a, b) => a - b);
  return Math.max(0, ...ends.slice(1).map((end, at) => end - (ends[at] ?? end)));
}
