import type { Pool } from '@ces/chassis/postgres/pool';
import type { ChangeNotifier } from './changes/change-notifier.ts';
import type { Serialized } from './resolution/serialized.ts';
import type { ResolutionVocabulary } from './resolution/vocabulary.ts';

/** What the RPCs of this service work with. */
export interface Dependencies {
  readonly pool: Pool;
  readonly notifier: ChangeNotifier;
  readonly vocabulary: ResolutionVocabulary;
  /** Work that takes the resolution lock exclusively goes through here. */
  readonly serialized: Serialized;
}
