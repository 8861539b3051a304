import type { Plan } from '@ces/proto/ces/search/v1/search_pb.ts';
import { namedKinds } from '../../../../ranking/plan-traits.ts';
import type { Scoring } from '../../../../ranking/scoring.ts';
import { NEAR_SHARE, NO_WORD_FACTOR } from '../../../../ranking/weights.ts';
import { ofCompanies } from './filters.ts';
import { atPlaces, avoidedBy, nearPlaces, planFactors } from './plan-factors.ts';
import { anyOf, constant, noneOf, type Query, terms } from './query.ts';
import { scoredTerm } from './scored-terms.ts';

export interface RankedSearch {
  readonly plan: Plan;
  readonly scoring: Scoring;
  readonly filters: readonly Query[];
}

export interface ContextLevel {
  /** Upper bound of their gains, in idf units. */
  readonly gain: number;
  readonly companies: readonly number[];
}

/** Reported only on request: OpenSearch evaluates each once more for every company. */
export const PARTS = { asked: 'asked', others: 'others', there: 'there', near: 'near', avoided: 'avoided' } as const;

export function needsNames({ places, avoided }: Plan): boolean {
  return places.length > 0 || avoided.length > 0;
}

/** Scores by an upper bound: places and descriptions count in full; `observedParts` corrects it. */
export function rankingQuery(
  search: RankedSearch,
  retrieving: readonly Query[],
  levels: readonly ContextLevel[],
  isNamed = false,
): Query {
  const { plan, scoring, filters } = search;
  const name = (part: keyof typeof PARTS) => (isNamed ? PARTS[part] : undefined);
  const asked = scoring.own.candidateTerms.map((term) => scoredTerm(term));
  const others = scoring.own.terms.filter((term) => !scoring.own.candidateTerms.includes(term));
  const text = [
    ...someOf(asked, name('asked')),
    ...someOf(
      others.map((term) => scoredTerm(term)),
      name('others'),
    ),
  ];
  const gains = [
    ...text,
    ...placeGains(search, name('there'), name('near')),
    ...otherGains(search),
    ...levels.map(levelGain),
  ];
  const isFoundByWords = retrieving.length === 0;
  const bool = isFoundByWords
    ? { filter: [...filters], must: gains.slice(0, 1), should: gains.slice(1) }
    : { filter: [...filters, anyOf([...retrieving, ...asked])], should: gains };
  const unanswering = scoring.asksWords && !isFoundByWords ? [{ filter: noneOf(text), weight: NO_WORD_FACTOR }] : [];
  const functions = [...planFactors(plan), ...unanswering];
  const marked = isNamed && plan.avoided.length > 0 ? [constant(avoidedBy(plan), 0, PARTS.avoided)] : [];
  const query: Query = { bool: { ...bool, should: [...bool.should, ...marked] } };
  if (functions.length === 0) return query;
  return { function_score: { query, functions, score_mode: 'multiply', boost_mode: 'multiply' } };
}

function someOf(queries: readonly Query[], name: string | undefined): Query[] {
  const named = name === undefined ? {} : { _name: name };
  return queries.length > 0 ? [{ bool: { should: [...queries], minimum_should_match: 1, ...named } }] : [];
}

function placeGains({ plan, scoring: { placeGain } }: RankedSearch, ofThere?: string, ofNear?: string): Query[] {
  if (plan.places.length === 0) return [];
  const there = constant(atPlaces(plan), placeGain, ofThere);
  const near = constant(nearPlaces(plan), placeGain * NEAR_SHARE, ofNear);
  return [{ dis_max: { queries: [there, near] } }];
}

function otherGains({ plan, scoring: { base, kindGain } }: RankedSearch): Query[] {
  const kinds = namedKinds(plan).map(String);
  return [
    ...(base > 0 ? [constant({ match_all: {} }, base)] : []),
    ...(kinds.length > 0 ? [constant(terms('kind', kinds), kindGain)] : []),
  ];
}

function levelGain({ gain, companies }: ContextLevel): Query {
  return constant(ofCompanies(companies), gain);
}
