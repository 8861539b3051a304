import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import { microsOf } from '../../../instants.ts';
import { anyOf, noneOf, type Query, range, term, terms } from './query.ts';

/** What filters mean at a moment. */
export interface FilterContext {
  /** Companies that current evidence ties to the hostnames of the filters. */
  readonly ofDomains: readonly number[];
  readonly ofExcludedDomains: readonly number[];
  /** The instant of the search, in microseconds since 1970. */
  readonly now: number;
  /** Events from this instant on are indexed, in microseconds since 1970; undefined: all. */
  readonly keptFrom: number | undefined;
}

/** Filters as conditions that must all hold: OR within one, AND across, exclusions win, empty ones restrict nothing. */
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

/** What has no date is not after any. */
function since(kinds: readonly Kind[], cutoff: Timestamp | undefined, others: readonly Query[]): Query {
  const dated = cutoff ? [range('occurred_at', { gte: microsOf(cutoff) })] : [];
  return { bool: { filter: [terms('kind', kinds.map(String)), ...dated, ...others] } };
}

/** Events without a date are kept. */
function isKept(from: number): Query {
  return anyOf([range('occurred_at', { gte: from }), noneOf([{ exists: { field: 'occurred_at' } }])]);
}
