import type { Pool } from '@ces/chassis/postgres/pool';
import type { EvidenceBell } from '../events.ts';
import type { OneAtATime } from '../one-at-a-time.ts';
import type { ResolutionVocabulary } from '../resolve/vocabulary.ts';

/** What the RPCs of this service work with. */
export interface Dependencies {
  readonly pool: Pool;
  readonly bell: EvidenceBell;
  readonly vocabulary: ResolutionVocabulary;
  /** What takes the resolution lock alone goes through here. */
  readonly alone: OneAtATime;
}
