import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { Partitioning } from '../partitions/partitions.ts';
import { firstEventPartition } from '../partitions/searched-partitions.ts';
import { partitionNumber } from './partition-number.ts';

/** The partitions that filters leave in. */
export interface SearchedPartitions {
  /** Number of the oldest one of events; above all where no events are asked for. */
  readonly events: number;
  /** Whether the partition of what has no date is one of them. */
  readonly isUndated: boolean;
}

/** The same as `partitionCondition` has the database search. */
export function searchedPartitions(filters: SearchFilters, partitioning: Partitioning): SearchedPartitions {
  const isOfEvents = filters.kinds.some((kind) => kind !== Kind.COMPANY_PROFILE);
  return {
    events: isOfEvents ? partitionNumber(firstEventPartition(filters, partitioning)) : Number.POSITIVE_INFINITY,
    isUndated: filters.kinds.includes(Kind.COMPANY_PROFILE),
  };
}
