import type { RankedHit } from './ranking.ts';
import { MISSED_FACTOR } from './weights.ts';

/** Conditions that a query can state in words. Kinds and avoided words only lower a score. */
const STATED_CONDITIONS = ['place', 'time', 'fact'] as const;
export type StatedCondition = (typeof STATED_CONDITIONS)[number];
type Factors = Pick<RankedHit, 'placeFactor' | 'timeFactor' | 'factFactor'>;

/** An unstated fact is no miss: one in ten such observations answers (decision 0026). */
export function missedConditions({ placeFactor, timeFactor, factFactor }: Factors): StatedCondition[] {
  const factors = { place: placeFactor, time: timeFactor, fact: factFactor };
  return STATED_CONDITIONS.filter((condition) => factors[condition] <= MISSED_FACTOR);
}

/** The score that an observation would have if it missed no condition. */
export function scoreIfMet(hit: RankedHit): number {
  return Math.min(1, hit.relevance.score / MISSED_FACTOR ** missedConditions(hit).length);
}

/**
 * Returns the conditions that no observation meets together with all others. A fact is also unmet
 * if the observations that meet the rest do not state it.
 */
export function unmetConditions(found: readonly Factors[]): readonly StatedCondition[] {
  const missed = found.map(missedConditions);
  const meeting = found.filter((_, at) => missed[at]?.length === 0);
  if (meeting.length > 0) return meeting.every(({ factFactor }) => factFactor < 1) ? ['fact'] : [];
  const one = missed.filter((own) => own.length === 1);
  const unmet = new Set((one.length > 0 ? one : missed).flat());
  return STATED_CONDITIONS.filter((condition) => unmet.has(condition));
}
