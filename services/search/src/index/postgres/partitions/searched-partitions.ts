import { dateOf } from '@ces/chassis/instant';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import { type Partitioning, partitionOf, UNDATED } from './partitions.ts';

/** The oldest partition that filters leave in. */
export function firstPartition(filters: SearchFilters, partitioning: Partitioning): string {
  if (filters.kinds.includes(Kind.COMPANY_PROFILE)) return UNDATED;
  return firstEventPartition(filters, partitioning);
}

/** Whether filters let events in that happened before a day that begins a partition. */
export function reachBefore(filters: SearchFilters, day: string, partitioning: Partitioning): boolean {
  const isOfEvents = filters.kinds.some((kind) => kind !== Kind.COMPANY_PROFILE);
  return isOfEvents && firstEventPartition(filters, partitioning) < day;
}

/** The oldest partition of events that filters leave in. */
export function firstEventPartition(filters: SearchFilters, partitioning: Partitioning): string {
  const cutoff = filters.occurredAfter;
  return partitionOf(Kind.PROCUREMENT_REQUEST, cutoff ? dateOf(cutoff) : new Date(0), partitioning);
}
