import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import { microsOf } from '../../instants.ts';
import type { Partitioning } from '../partitions/partitions.ts';
import type { ObservationTable } from './observation-table.ts';
import { UNDATED_PARTITION } from './partition-number.ts';
import { searchedPartitions } from './searched-partitions.ts';

/** Whether the observation of a number passes. */
export type Admission = (number: number) => boolean;

/** Before everything. */
const ALWAYS = Number.NEGATIVE_INFINITY;
/** Kinds and countries have lower codes. */
const CODES = 1 << 10;

/**
 * Filters as `filterConditions` puts them to the database, for observations of a copy; those that name domains are not
 * answered from one.
 */
export function admissionOf(
  table: ObservationTable,
  filters: SearchFilters,
  partitioning: Partitioning,
  now: number,
): Admission {
  const [alive, kinds, partitions] = [table.alive.values, table.kinds.values, table.partitions.values];
  const [occurredAt, deliverableUntil] = [table.occurredAt.values, table.deliverableUntil.values];
  const inKinds = tableOf(filters.kinds);
  const [eventsFrom, profilesFrom] = [cutoffOf(filters.occurredAfter), cutoffOf(filters.profileOccurredAfter)];
  const { events, isUndated } = searchedPartitions(filters, partitioning);
  const others = otherConditions(table, filters);
  return (number) => {
    if (alive[number] !== 1) return false;
    const kind = kinds[number] ?? 0;
    if (inKinds[kind] !== 1) return false;
    const partition = partitions[number] ?? UNDATED_PARTITION;
    if (partition < events && !(isUndated && partition === UNDATED_PARTITION)) return false;
    const from = kind === Kind.COMPANY_PROFILE ? profilesFrom : eventsFrom;
    // What has no date is not after any.
    if (from !== ALWAYS && !((occurredAt[number] ?? Number.NaN) >= from)) return false;
    if (!((deliverableUntil[number] ?? 0) > now)) return false;
    return others.every((holds) => holds(number));
  };
}

/** Those that few filters have. */
function otherConditions(table: ObservationTable, filters: SearchFilters): Admission[] {
  const [countries, observedAt] = [table.countries.values, table.observedAt.values];
  const [companies, companyIds] = [table.companies.values, table.companyIds.values];
  const conditions: Admission[] = [];
  const companyOf = (number: number) => companyIds[companies[number] ?? 0] ?? 0;
  const inCountries = tableOf(filters.countries);
  const observedFrom = cutoffOf(filters.observedAfter);
  const [wanted, unwanted] = [new Set(filters.companyIds.map(Number)), new Set(filters.excludeCompanyIds.map(Number))];
  if (filters.countries.length > 0) conditions.push((number) => inCountries[countries[number] ?? 0] === 1);
  if (observedFrom !== ALWAYS) conditions.push((number) => (observedAt[number] ?? 0) >= observedFrom);
  if (wanted.size > 0) conditions.push((number) => wanted.has(companyOf(number)));
  if (unwanted.size > 0) conditions.push((number) => !unwanted.has(companyOf(number)));
  return conditions;
}

function cutoffOf(instant: Timestamp | undefined): number {
  return instant ? microsOf(instant) : ALWAYS;
}

function tableOf(codes: readonly number[]): Uint8Array {
  const table = new Uint8Array(CODES);
  for (const code of codes) table[code] = 1;
  return table;
}
