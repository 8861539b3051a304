import { dateOf } from '@ces/chassis/instant';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import { type Partitioning, partitionOf } from './partitions.ts';

/** Whether the filters admit events before `day`, the first day of a partition. */
export function reachBefore(filters: SearchFilters, day: string, partitioning: Partitioning): boolean {
  const isOfEvents = filters.kinds.some((kind) => kind !== Kind.COMPANY_PROFILE);
  return isOfEvents && firstEventPartition(filters, partitioning) < day;
}

export function firstEventPartition(filters: SearchFilters, partitioning: Partitioning): string {
  const cutoff = filters.occurredAfter;
  return partitionOf(Kind.PROCUREMENT_REQUEST, cutoff ? dateOf(cutoff) : new Date(0), partitioning);
}
