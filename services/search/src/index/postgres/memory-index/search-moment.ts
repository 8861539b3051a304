import type { Partitioning } from '../partitions/partitions.ts';
import type { IndexVersion } from './loading/index-version.ts';

/** A search answers from the index at this version or a newer one. */
export interface SearchMoment {
  readonly partitioning: Partitioning;
  readonly version: IndexVersion;
}
