import type { Plan } from '@ces/proto/ces/search/v1/search_pb.ts';
import { factFactorOf } from '../../../../ranking/fact-factor.ts';
import { AVOIDED_FACTOR, MISSED_FACTOR, NEAR_SHARE } from '../../../../ranking/weights.ts';
import { microsOf } from '../../../instants.ts';
import { countryIn, DEAD, KINDS_END, kindIn } from '../documents/observation-code.ts';
import type { MemoryIndexView } from '../memory-index.ts';
import { isMarked, type Marks } from './buffer-pool.ts';
import { markPatterns } from './marks.ts';
import { phrasePattern } from './phrase-patterns.ts';

export interface PlanFactors {
  /** Observations in or near any requested place; undefined without a place. */
  readonly inPlace: Marks | undefined;
  place(number: number): number;
  kind(number: number): number;
  time(number: number): number;
  avoided(number: number): number;
  facts(number: number): number;
}

export function planFactors(
  { observations, observationTexts: texts, buffers }: MemoryIndexView,
  plan: Plan,
  gain: number,
): PlanFactors {
  const { size } = observations;
  const marksOf = (phrases: readonly string[]) => markPatterns(texts, buffers.marks(size), phrases.map(phrasePattern));
  const factors = new Float64Array(KINDS_END + 1).fill(1);
  for (const { kind, factor } of plan.kinds.toReversed()) factors[kind] = factor;
  const codes = observations.codes.values;
  const avoided = plan.avoided.length > 0 ? marksOf(plan.avoided) : undefined;
  return {
    ...placesOf(codes, plan, gain, marksOf),
    kind: (number) => factors[kindIn(codes[number] ?? DEAD)] ?? 1,
    time: timeFactor(observations.occurredAt.values, plan),
    avoided: avoided ? (number) => (isMarked(avoided, number) ? AVOIDED_FACTOR : 1) : always,
    facts: factsFactor(observations.facts, plan),
  };
}

function always(): 1 {
  return 1;
}

function timeFactor(occurredAt: Float64Array, plan: Plan): PlanFactors['time'] {
  const since = plan.since && microsOf(plan.since);
  const until = plan.until && microsOf(plan.until);
  if (since === undefined && until === undefined) return always;
  return (number) => {
    const at = occurredAt[number] ?? Number.NaN;
    const isOutside = (since !== undefined && at < since) || (until !== undefined && at >= until);
    return isOutside ? MISSED_FACTOR : 1;
  };
}

function factsFactor(factsOf: ReadonlyMap<number, readonly number[]>, { facts }: Plan): PlanFactors['facts'] {
  if (facts.length === 0) return always;
  const conditions = facts.map(factFactorOf);
  return (number) => {
    const codes = factsOf.get(number);
    return conditions.reduce((product, factor) => product * factor(codes), 1);
  };
}

function placesOf(
  codes: Uint16Array,
  { places }: Plan,
  gain: number,
  marksOf: (phrases: readonly string[]) => Marks,
): Pick<PlanFactors, 'inPlace' | 'place'> {
  if (places.length === 0) return { inPlace: undefined, place: () => 0 };
  const countries = new Set<number>(places.map(({ country }) => country).filter((country) => country !== 0));
  const marked = places.map(({ names, near, except }) => ({
    names: marksOf(names),
    near: marksOf(near),
    except: marksOf(except),
  }));
  const isAt = (part: 'names' | 'near', number: number) =>
    marked.some((place) => isMarked(place[part], number) && !isMarked(place.except, number));
  return {
    inPlace: marksOf(places.flatMap((place) => [...place.names, ...place.near])),
    place(number) {
      if (isAt('names', number) || countries.has(countryIn(codes[number] ?? DEAD))) return gain;
      return isAt('near', number) ? gain * NEAR_SHARE : 0;
    },
  };
}
