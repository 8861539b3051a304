import type { Plan } from '@ces/proto/ces/search/v1/search_pb.ts';
import { factFactorOf } from '../../../ranking/fact-factor.ts';
import { AVOIDED_FACTOR, EARLIER_FACTOR, NEAR_SHARE } from '../../../ranking/weights.ts';
import { microsOf } from '../../instants.ts';
import type { CopiedIndex } from './copied-index.ts';
import { type Marks, markPatterns } from './marks.ts';
import type { LexemePattern } from './tsvector-text.ts';

/** Kinds have lower codes. */
const KINDS_END = 64;

/** What a plan gives an observation beside its words, by number. */
export interface PlanFactors {
  /** Observations with a name of any place, or of what is near one; undefined where the plan names no place. */
  readonly inPlace: Marks | undefined;
  place(number: number): number;
  kind(number: number): number;
  time(number: number): number;
  avoided(number: number): number;
  facts(number: number): number;
}

/** The same as the columns of `plan-factors-sql` and `fact-factor-sql`. */
export function planFactors(
  { observations, observationTexts: texts, scratch }: CopiedIndex,
  plan: Plan,
  gain: number,
  patterns: ReadonlyMap<string, LexemePattern>,
): PlanFactors {
  const { size } = observations;
  const marksOf = (phrases: readonly string[]) =>
    markPatterns(
      texts,
      scratch.bytes(size),
      phrases.flatMap((phrase) => patterns.get(phrase) ?? []),
    );
  const avoided = plan.avoided.length > 0 ? marksOf(plan.avoided) : undefined;
  const factors = new Float64Array(KINDS_END).fill(1);
  for (const { kind, factor } of plan.kinds.toReversed()) factors[kind] = factor;
  const kindOf = observations.kinds.values;
  const occurredAt = observations.occurredAt.values;
  const since = plan.since && microsOf(plan.since);
  const until = plan.until && microsOf(plan.until);
  const conditions = plan.facts.map(factFactorOf);
  return {
    ...placesOf(observations.countries.values, plan, gain, marksOf),
    kind: (number) => factors[kindOf[number] ?? 0] ?? 1,
    time(number) {
      const at = occurredAt[number] ?? Number.NaN;
      const isOutside = (since !== undefined && at < since) || (until !== undefined && at >= until);
      return isOutside ? EARLIER_FACTOR : 1;
    },
    avoided: (number) => (avoided?.[number] === 1 ? AVOIDED_FACTOR : 1),
    facts(number) {
      if (conditions.length === 0) return 1;
      const codes = observations.facts.get(number);
      return conditions.reduce((product, factor) => product * factor(codes), 1);
    },
  };
}

function placesOf(
  countryOf: Int16Array,
  { places }: Plan,
  gain: number,
  marksOf: (phrases: readonly string[]) => Marks,
): Pick<PlanFactors, 'inPlace' | 'place'> {
  if (places.length === 0) return { inPlace: undefined, place: () => 0 };
  const countries = new Set<number>(places.map(({ country }) => country).filter((country) => country !== 0));
  const named = places.map(({ names, except }) => ({ names: marksOf(names), except: marksOf(except) }));
  const near = marksOf(places.flatMap((place) => place.near));
  return {
    inPlace: marksOf(places.flatMap((place) => [...place.names, ...place.near])),
    place(number) {
      const isThere = named.some(({ names, except }) => names[number] === 1 && except[number] !== 1);
      if (isThere || countries.has(countryOf[number] ?? 0)) return gain;
      return near[number] === 1 ? gain * NEAR_SHARE : 0;
    },
  };
}
