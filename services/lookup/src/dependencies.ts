import type { Pool } from '@ces/chassis/postgres/pool';
import type { EvidenceBell } from './changes/change-notifier.ts';
import type { OneAtATime } from './resolution/serialized.ts';
import type { ResolutionVocabulary } from './resolution/vocabulary.ts';

/** What the RPCs of this service work with. */
export interface Dependencies {
  readonly pool: Pool;
  readonly bell: EvidenceBell;
  readonly vocabulary: ResolutionVocabulary;
  /** What takes the resolution lock alone goes through here. */
  readonly alone: OneAtATime;
}
