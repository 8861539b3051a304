import type { Plan } from '@ces/proto/ces/search/v1/search_pb.ts';
import {
  countriesOf,
  describedKinds,
  isTopicTerm,
  newestKinds,
  retrievesNewest,
} from '../../../../ranking/plan-traits.ts';
import type { Scoring } from '../../../../ranking/scoring.ts';
import { microsOf } from '../../../instants.ts';
import { withPlaceNames } from '../query/plan-factors.ts';
import { type Query, range, terms } from '../query/query.ts';

/** A place or kind by itself, or everything within the filters. */
export function wordlessQueries(plan: Plan, { own }: Scoring): Query[] {
  const isPlaceAlone = plan.places.length > 0 && !own.terms.some(isTopicTerm);
  return [...(isPlaceAlone ? [withPlaceNames(plan)] : []), ...(retrievesNewest(plan) ? [newest(plan)] : [])];
}

export function describedQuery(plan: Plan): Query {
  const kinds = describedKinds(plan).map(String);
  return kinds.length > 0 ? terms('kind', kinds) : { match_all: {} };
}

function newest(plan: Plan): Query {
  const kinds = newestKinds(plan).map(String);
  if (kinds.length > 0) return terms('kind', kinds);
  const countries = countriesOf(plan).map(String);
  const filter = [
    ...(plan.until ? [range('occurred_at', { lt: microsOf(plan.until) })] : []),
    ...(plan.since ? [range('occurred_at', { gte: microsOf(plan.since) })] : []),
    ...(countries.length > 0 ? [terms('country', countries)] : []),
  ];
  return filter.length > 0 ? { bool: { filter } } : { match_all: {} };
}
