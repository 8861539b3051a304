import type { Pool } from '@ces/chassis/postgres/pool';
import type { StreamBatchResults } from '@ces/chassis/rpc/stream-batch-results';
import type { ChangeNotifier } from './changes/change-notifier.ts';
import type { LookUpBatcher } from './hydration/look-up-batcher.ts';
import type { Reads } from './replica/reads.ts';
import type { Serialized } from './resolution/serialized.ts';
import type { ResolutionVocabulary } from './resolution/vocabulary.ts';

export interface Dependencies {
  readonly pool: Pool;
  readonly reads: Reads;
  readonly lookUps: LookUpBatcher;
  readonly streamBatchResults: StreamBatchResults;
  readonly notifier: ChangeNotifier;
  readonly vocabulary: ResolutionVocabulary;
  /** Work that takes the resolution lock exclusively uses this queue. */
  readonly serialized: Serialized;
}
