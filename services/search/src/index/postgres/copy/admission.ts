import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import { microsOf } from '../../instants.ts';
import type { Partitioning } from '../partitions/partitions.ts';
import { COUNTRIES_END, countryIn, DEAD, isDeliveredUntilIn, KINDS_END, kindIn } from './observation-code.ts';
import type { ObservationTable } from './observation-table.ts';
import { UNDATED_PARTITION } from './partition-number.ts';
import { searchedPartitions } from './searched-partitions.ts';

/** Whether the observation of a number passes. */
export type Admission = (number: number) => boolean;

/** Before everything. */
const ALWAYS = Number.NEGATIVE_INFINITY;

/**
 * Filters as `filterConditions` puts them to the database, for observations of a copy; those that name domains are not
 * answered from one. What most observations fail by, and what lies closest in memory, is asked first.
 */
export function admissionOf(
  table: ObservationTable,
  filters: SearchFilters,
  partitioning: Partitioning,
  now: number,
): Admission {
  const [codes, partitions, occurredAt] = [table.codes.values, table.partitions.values, table.occurredAt.values];
  const { deliverableUntil } = table;
  /* Of the code of what is dead no kind is asked for. */
  const inKinds = oneFor(filters.kinds, KINDS_END + 1);
  const inCountries = oneFor(filters.countries, COUNTRIES_END);
  if (filters.countries.length === 0) inCountries.fill(1);
  const [eventsFrom, profilesFrom] = [cutoffOf(filters.occurredAfter), cutoffOf(filters.profileOccurredAfter)];
  const { events, isUndated } = searchedPartitions(filters, partitioning);
  const others = otherConditions(table, filters);
  return (number) => {
    const code = codes[number] ?? DEAD;
    if (inKinds[kindIn(code)] !== 1 || inCountries[countryIn(code)] !== 1) return false;
    const partition = partitions[number] ?? UNDATED_PARTITION;
    if (partition < events && !(isUndated && partition === UNDATED_PARTITION)) return false;
    const from = kindIn(code) === Kind.COMPANY_PROFILE ? profilesFrom : eventsFrom;
    // What has no date is not after any.
    if (from !== ALWAYS && !((occurredAt[number] ?? Number.NaN) >= from)) return false;
    if (isDeliveredUntilIn(code) && !((deliverableUntil.get(number) ?? 0) > now)) return false;
    return others === undefined || others(number);
  };
}

/** Those that few filters have; undefined where these have none. */
function otherConditions(table: ObservationTable, filters: SearchFilters): Admission | undefined {
  const observedAt = table.observedAt.values;
  const [companies, companyIds] = [table.companies.values, table.companyNumbers.ids.values];
  const conditions: Admission[] = [];
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

/** 1 at each code, below some end. */
function oneFor(codes: readonly number[], end: number): Uint8Array {
  const table = new Uint8Array(end);
  for (const code of codes) table[code] = 1;
  return table;
}
