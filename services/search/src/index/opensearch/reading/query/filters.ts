import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import { microsOf } from '../../../instants.ts';
import { anyOf, noneOf, type Query, range, term, terms } from './query.ts';

export interface FilterContext {
  readonly ofDomains: readonly number[];
  readonly ofExcludedDomains: readonly number[];
  readonly now: number;
  readonly keptFrom: number | undefined;
}

/**
 * Returns conditions to AND. Values of one filter are OR'ed, exclusions win, empty ones are free.
 */
export function filterQueries(filters: SearchFilters, context: FilterContext): Query[] {
  const conditions = [
    term('tombstone', false),
    range('deliverable_until', { gt: context.now }),
    ofKinds(filters, context),
  ];
  if (filters.countries.length > 0) conditions.push(terms('country', filters.countries.map(String)));
  if (filters.observedAfter) conditions.push(range('observed_at', { gte: microsOf(filters.observedAfter) }));
  if (filters.companyIds.length > 0) conditions.push(ofCompanies(filters.companyIds.map(Number)));
  if (filters.domains.length > 0) conditions.push(ofCompanies(context.ofDomains));
  const excluded = [...filters.excludeCompanyIds.map(Number), ...context.ofExcludedDomains];
  if (excluded.length > 0) conditions.push(noneOf([ofCompanies(excluded)]));
  return conditions;
}

export function ofCompanies(ids: readonly number[]): Query {
  return terms('company_id', ids);
}

function ofKinds(filters: SearchFilters, { keptFrom }: FilterContext): Query {
  const events = filters.kinds.filter((kind) => kind !== Kind.COMPANY_PROFILE);
  const parts: Query[] = [];
  if (events.length > 0)
    parts.push(since(events, filters.occurredAfter, keptFrom === undefined ? [] : [isKept(keptFrom)]));
  if (events.length < filters.kinds.length) parts.push(since([Kind.COMPANY_PROFILE], filters.profileOccurredAfter, []));
  return anyOf(parts);
}

/** Undated observations fail any lower bound. */
function since(kinds: readonly Kind[], cutoff: Timestamp | undefined, others: readonly Query[]): Query {
  const dated = cutoff ? [range('occurred_at', { gte: microsOf(cutoff) })] : [];
  return { bool: { filter: [terms('kind', kinds.map(String)), ...dated, ...others] } };
}

function isKept(from: number): Query {
  return anyOf([range('occurred_at', { gte: from }), noneOf([{ exists: { field: 'occurred_at' } }])]);
}
