import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { Partitioning } from '../partitions/partitions.ts';
import { firstEventPartition } from '../partitions/searched-partitions.ts';
import { partitionNumber } from './partition-number.ts';

export interface SearchedPartitions {
  /** Oldest event partition, or infinite if no events are requested. */
  readonly events: number;
  readonly isUndated: boolean;
}

export function searchedPartitions(filters: SearchFilters, partitioning: Partitioning): SearchedPartitions {
  const isOfEvents = filters.kinds.some((kind) => kind !== Kind.COMPANY_PROFILE);
  return {
    events: isOfEvents ? partitionNumber(firstEventPartition(filters, partitioning)) : Number.POSITIVE_INFINITY,
    isUndated: filters.kinds.includes(Kind.COMPANY_PROFILE),
  };
}
