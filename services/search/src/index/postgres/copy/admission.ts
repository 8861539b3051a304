import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import { type Partitioning, UNDATED } from '../partitions/partitions.ts';
import { firstEventPartition } from '../partitions/searched-partitions.ts';
import { type ObservationTable, partitionNumber } from './observation-table.ts';

/** Whether the observation of a number passes. */
export type Admission = (number: number) => boolean;

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
  const [alive, kinds, countries] = [table.alive.values, table.kinds.values, table.countries.values];
  const [occurredAt, observedAt] = [table.occurredAt.values, table.observedAt.values];
  const [deliverableUntil, partitions] = [table.deliverableUntil.values, table.partitions.values];
  const companyIds = table.companyIds.values;
  const events = new Set<number>(filters.kinds.filter((kind) => kind !== Kind.COMPANY_PROFILE));
  const hasProfiles = events.size < new Set(filters.kinds).size;
  const eventsFrom = cutoffOf(filters.occurredAfter);
  const profilesFrom = cutoffOf(filters.profileOccurredAfter);
  const observedFrom = cutoffOf(filters.observedAfter);
  const undated = partitionNumber(UNDATED);
  const firstPartition = events.size > 0 ? partitionNumber(firstEventPartition(filters, partitioning)) : undefined;
  const inCountries = filters.countries.length > 0 ? new Set<number>(filters.countries) : undefined;
  const ofCompanies = filters.companyIds.length > 0 ? new Set(filters.companyIds.map(Number)) : undefined;
  const exceptCompanies =
    filters.excludeCompanyIds.length > 0 ? new Set(filters.excludeCompanyIds.map(Number)) : undefined;
  const isOfKind = (number: number) => {
    const kind = kinds[number] ?? 0;
    if (events.has(kind)) return eventsFrom === undefined || (occurredAt[number] ?? Number.NaN) >= eventsFrom;
    if (!hasProfiles || kind !== Kind.COMPANY_PROFILE) return false;
    return profilesFrom === undefined || (occurredAt[number] ?? Number.NaN) >= profilesFrom;
  };
  const isInPartition = (number: number) => {
    const partition = partitions[number] ?? undated;
    if (hasProfiles && partition === undated) return true;
    return firstPartition !== undefined && partition >= firstPartition;
  };
  return (number) =>
    alive[number] === 1 &&
    isOfKind(number) &&
    isInPartition(number) &&
    (inCountries === undefined || inCountries.has(countries[number] ?? 0)) &&
    (deliverableUntil[number] ?? 0) > now &&
    (observedFrom === undefined || (observedAt[number] ?? 0) >= observedFrom) &&
    (ofCompanies === undefined || ofCompanies.has(companyIds[number] ?? 0)) &&
    (exceptCompanies === undefined || !exceptCompanies.has(companyIds[number] ?? 0));
}

/** An instant in microseconds since 1970, as the database compares it. */
export function microsOf(instant: Timestamp): number {
  return Number(instant.seconds) * 1_000_000 + Math.floor(instant.nanos / 1000);
}

function cutoffOf(instant: Timestamp | undefined): number | undefined {
  return instant && microsOf(instant);
}
