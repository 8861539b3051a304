import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import { microsOf } from '../../../instants.ts';
import type { Partitioning } from '../../partitions/partitions.ts';
import type { CompanyTable } from '../documents/company-table.ts';
import {
  CODES_END,
  COUNTRIES_END,
  DEAD,
  isDeliveredUntilIn,
  kindIn,
  observationCode,
} from '../documents/observation-code.ts';
import type { ObservationTable } from '../documents/observation-table.ts';
import type { MemoryIndexView } from '../memory-index.ts';
import { UNDATED_PARTITION } from '../partition-number.ts';
import { searchedPartitions } from '../searched-partitions.ts';
import type { LiteralCondition } from './literal-conditions.ts';

/** Most fail by code, which is cheapest to read. */
export interface ObservationFilter {
  /** 1 for each admitted code of kind and country; DEAD is never admitted. */
  readonly codes: Uint8Array;
  readonly passes: (number: number) => boolean;
  readonly from: number;
}

const ALWAYS = Number.NEGATIVE_INFINITY;

export function createObservationFilter(
  { observations: table, companies }: Pick<MemoryIndexView, 'observations' | 'companies'>,
  filters: SearchFilters,
  partitioning: Partitioning,
  now: number,
  literal?: LiteralCondition,
): ObservationFilter {
  const [codes, partitions, occurredAt] = [table.codes.values, table.partitions.values, table.occurredAt.values];
  const { deliverableUntil } = table;
  const [eventsFrom, profilesFrom] = [cutoffOf(filters.occurredAfter), cutoffOf(filters.profileOccurredAfter)];
  const { events, isUndated } = searchedPartitions(filters, partitioning);
  const others = otherConditions(table, companies, filters, now);
  const passes = (number: number) => {
    const partition = partitions[number] ?? UNDATED_PARTITION;
    if (partition < events && !(isUndated && partition === UNDATED_PARTITION)) return false;
    const code = codes[number] ?? DEAD;
    const from = kindIn(code) === Kind.COMPANY_PROFILE ? profilesFrom : eventsFrom;
    // An undated observation fails any lower bound.
    if (from !== ALWAYS && !((occurredAt[number] ?? Number.NaN) >= from)) return false;
    if (isDeliveredUntilIn(code) && !((deliverableUntil.get(number) ?? 0) > now)) return false;
    return (others === undefined || others(number)) && (literal === undefined || literal(number));
  };
  const from = filters.kinds.includes(Kind.COMPANY_PROFILE) ? Math.min(eventsFrom, profilesFrom) : eventsFrom;
  return { codes: codesOf(filters.kinds, filters.countries), passes, from };
}

export function ofKinds(filter: ObservationFilter, kinds: readonly number[]): ObservationFilter {
  if (kinds.length === 0) return filter;
  const asked = codesOf(kinds, []);
  return { ...filter, codes: filter.codes.map((passing, code) => passing & (asked[code] ?? 0)) };
}

export function where(filter: ObservationFilter, holds: (number: number) => boolean): ObservationFilter {
  const { passes } = filter;
  return { ...filter, passes: (number) => holds(number) && passes(number) };
}

function codesOf(kinds: readonly number[], countries: readonly number[]): Uint8Array {
  const codes = new Uint8Array(CODES_END);
  const places = countries.length > 0 ? countries : Array.from({ length: COUNTRIES_END }, (_, country) => country);
  for (const country of places)
    for (const kind of kinds)
      for (const isDeliveredUntil of [false, true]) codes[observationCode(kind, country, isDeliveredUntil)] = 1;
  return codes;
}

function otherConditions(
  table: ObservationTable,
  companies: CompanyTable,
  filters: SearchFilters,
  now: number,
): ObservationFilter['passes'] | undefined {
  const observedAt = table.observedAt.values;
  const [companyOf, companyIds] = [table.companies.values, table.companyNumbers.ids.values];
  const conditions: ObservationFilter['passes'][] = [];
  const observedFrom = cutoffOf(filters.observedAfter);
  if (observedFrom !== ALWAYS) conditions.push((number) => (observedAt[number] ?? 0) >= observedFrom);
  const idOf = (number: number) => companyIds[companyOf[number] ?? 0] ?? 0;
  const [wanted, unwanted] = [new Set(filters.companyIds.map(Number)), new Set(filters.excludeCompanyIds.map(Number))];
  if (wanted.size > 0) conditions.push((number) => wanted.has(idOf(number)));
  if (unwanted.size > 0) conditions.push((number) => !unwanted.has(idOf(number)));
  if (filters.domains.length > 0) {
    const tied = companies.companiesOf(filters.domains, now);
    conditions.push((number) => tied.has(companyOf[number] ?? 0));
  }
  const excluded = companies.companiesOf(filters.excludeDomains, now);
  if (excluded.size > 0) conditions.push((number) => !excluded.has(companyOf[number] ?? 0));
  return conditions.length > 0 ? (number) => conditions.every((holds) => holds(number)) : undefined;
}

function cutoffOf(instant: Timestamp | undefined): number {
  return instant ? microsOf(instant) : ALWAYS;
}
