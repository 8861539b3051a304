import type { Pool } from '@ces/chassis/postgres/pool';
import type { StreamBatchResults } from '@ces/chassis/rpc/stream-batch-results';
import type { ChangeNotifier } from './changes/change-notifier.ts';
import type { LookUpIds } from './hydration/shared-look-ups.ts';
import type { ResolutionVocabulary } from './matching/vocabulary.ts';
import type { Reads } from './replica/reads.ts';
import type { Serialized } from './resolution/serialized.ts';

export interface Dependencies {
  readonly pool: Pool;
  readonly reads: Reads;
  readonly lookUpIds: LookUpIds;
  readonly streamBatchResults: StreamBatchResults;
  readonly notifier: ChangeNotifier;
  readonly vocabulary: ResolutionVocabulary;
  /** Work under the exclusive resolution lock queues here. */
  readonly serialized: Serialized;
}
