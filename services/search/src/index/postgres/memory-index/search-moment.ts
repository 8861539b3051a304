import type { Partitioning } from '../partitions/partitions.ts';
import type { IndexVersion } from './loading/index-version.ts';

export interface SearchMoment {
  readonly partitioning: Partitioning;
  readonly version: IndexVersion;
}
