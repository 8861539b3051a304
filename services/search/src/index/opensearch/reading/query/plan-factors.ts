import type { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { FactCondition, Plan } from '@ces/proto/ces/search/v1/search_pb.ts';
import { rangesOf } from '../../../../facts/condition-codes.ts';
import type { CodeRange } from '../../../../facts/fact-codes.ts';
import { countriesOf } from '../../../../ranking/plan-traits.ts';
import { AVOIDED_FACTOR, MISSED_FACTOR, UNKNOWN_FACTOR } from '../../../../ranking/weights.ts';
import { microsOf } from '../../../instants.ts';
import { anyOf, noneOf, type Query, range, term, terms } from './query.ts';
import { anyNamed } from './texts.ts';

export interface Factor {
  readonly filter: Query;
  readonly weight: number;
}

export function atPlaces(plan: Plan): Query {
  const countries = countriesOf(plan);
  return anyOf([
    ...plan.places.map(({ names, except }) => namedWithout(names, except)),
    ...(countries.length > 0 ? [terms('country', countries.map(String))] : []),
  ]);
}

export function nearPlaces({ places }: Plan): Query {
  return anyOf(places.map(({ near, except }) => namedWithout(near, except)));
}

function namedWithout(names: readonly string[], except: readonly string[]): Query {
  const named = anyNamed(names);
  return except.length > 0 ? { bool: { filter: [named, noneOf([anyNamed(except)])] } } : named;
}

/** Does not exclude longer names that mean another place. */
export function withPlaceNames({ places }: Plan): Query {
  return anyNamed(places.flatMap((place) => [...place.names, ...place.near]));
}

export function avoidedBy({ avoided }: Plan): Query {
  return anyNamed(avoided);
}

export function planFactors(plan: Plan): Factor[] {
  return [
    ...[...kindFactors(plan)].map(([kind, weight]) => ({ filter: term('kind', String(kind)), weight })),
    ...(plan.places.length > 0 ? [{ filter: noneOf([atPlaces(plan), nearPlaces(plan)]), weight: MISSED_FACTOR }] : []),
    ...timeFactor(plan),
    ...(plan.avoided.length > 0 ? [{ filter: avoidedBy(plan), weight: AVOIDED_FACTOR }] : []),
    ...plan.facts.flatMap(factFactors),
  ];
}

/** If a kind occurs twice, the first factor applies. */
export function kindFactors({ kinds }: Plan): ReadonlyMap<Kind, number> {
  return new Map(kinds.toReversed().map(({ kind, factor }) => [kind, factor]));
}

function timeFactor({ since, until }: Plan): Factor[] {
  const outside = [
    ...(since ? [range('occurred_at', { lt: microsOf(since) })] : []),
    ...(until ? [range('occurred_at', { gte: microsOf(until) })] : []),
  ];
  return outside.length > 0 ? [{ filter: anyOf(outside), weight: MISSED_FACTOR }] : [];
}

function factFactors(condition: FactCondition): Factor[] {
  const { meeting, all } = rangesOf(condition);
  const meets = anyCode(meeting);
  const speaks = anyCode([all]);
  return [
    { filter: { bool: { filter: [speaks], must_not: [meets] } }, weight: MISSED_FACTOR },
    { filter: noneOf([speaks, meets]), weight: UNKNOWN_FACTOR },
  ];
}

function anyCode(ranges: readonly CodeRange[]): Query {
  return anyOf(
    ranges.filter(({ from, to }) => from <= to).map(({ from, to }) => range('facts', { gte: from, lte: to })),
  );
}
