import type { Pool } from '@ces/chassis/postgres';
import type { EvidenceBell } from '../events.ts';
import type { ResolutionVocabulary } from '../resolve/vocabulary.ts';

/** What the RPCs of this service work with. */
export interface Dependencies {
  readonly pool: Pool;
  readonly bell: EvidenceBell;
  readonly vocabulary: ResolutionVocabulary;
}
