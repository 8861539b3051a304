import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import { microsOf } from '../../../instants.ts';
import type { Partitioning } from '../../partitions/partitions.ts';
import {
  CODES_END,
  COUNTRIES_END,
  DEAD,
  isDeliveredUntilIn,
  kindIn,
  observationCode,
} from '../documents/observation-code.ts';
import type { ObservationTable } from '../documents/observation-table.ts';
import { UNDATED_PARTITION } from '../partition-number.ts';
import { searchedPartitions } from '../searched-partitions.ts';

/** Filters observations. Most fail by code, which is cheapest to read. */
export interface ObservationFilter {
  /** It is 1 for each admitted code of kind and country; DEAD is never admitted. */
  readonly codes: Uint8Array;
  readonly passes: (number: number) => boolean;
  /** Earlier events do not pass; undated ones may. */
  readonly from: number;
}

const ALWAYS = Number.NEGATIVE_INFINITY;

/** Equals `filterConditions`. Filters by domain are not supported in memory. */
export function createObservationFilter(
  table: ObservationTable,
  filters: SearchFilters,
  partitioning: Partitioning,
  now: number,
): ObservationFilter {
  const [codes, partitions, occurredAt] = [table.codes.values, table.partitions.values, table.occurredAt.values];
  const { deliverableUntil } = table;
  const [eventsFrom, profilesFrom] = [cutoffOf(filters.occurredAfter), cutoffOf(filters.profileOccurredAfter)];
  const { events, isUndated } = searchedPartitions(filters, partitioning);
  const others = otherConditions(table, filters);
  const passes = (number: number) => {
    const partition = partitions[number] ?? UNDATED_PARTITION;
    if (partition < events && !(isUndated && partition === UNDATED_PARTITION)) return false;
    const code = codes[number] ?? DEAD;
    const from = kindIn(code) === Kind.COMPANY_PROFILE ? profilesFrom : eventsFrom;
    // An undated observation fails any lower bound.
    if (from !== ALWAYS && !((occurredAt[number] ?? Number.NaN) >= from)) return false;
    if (isDeliveredUntilIn(code) && !((deliverableUntil.get(number) ?? 0) > now)) return false;
    return others === undefined || others(number);
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

function otherConditions(table: ObservationTable, filters: SearchFilters): ObservationFilter['passes'] | undefined {
  const observedAt = table.observedAt.values;
  const [companies, companyIds] = [table.companies.values, table.companyNumbers.ids.values];
  const conditions: ObservationFilter['passes'][] = [];
  const companyOf = (number: number) => companyIds[companies[number] ?? 0] ?? 0;
  const observedFrom = cutoffOf(filters.observedAfter);
  const [wanted, unwanted] = [new Set(filters.companyIds.map(Number)), new Set(filters.excludeCompanyIds.map(Number))];
  if (observedFrom !== ALWAYS) conditions.push((number) => (observedAt[number] ?? 0) >= observedFrom);
  if (wanted.size > 0) conditions.push((number) => wanted.has(companyOf(number)));
  if (unwanted.size > 0) conditions.push((number) => !unwanted.has(companyOf(number)));
  return conditions.length > 0 ? (number) => conditions.every((holds) => holds(number)) : undefined;
}

function cutoffOf(instant: Timestamp | undefined): number {
  return instant ? microsOf(instant) : ALWAYS;
}
