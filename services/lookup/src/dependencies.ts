import type { Pool } from '@ces/chassis/postgres/pool';
import type { AnswerEach } from '@ces/chassis/rpc/answer-each';
import type { ChangeNotifier } from './changes/change-notifier.ts';
import type { SharedLookUps } from './hydration/shared-look-ups.ts';
import type { Reads } from './replica/reads.ts';
import type { Serialized } from './resolution/serialized.ts';
import type { ResolutionVocabulary } from './resolution/vocabulary.ts';

/** What the RPCs of this service work with. */
export interface Dependencies {
  readonly pool: Pool;
  /** Answers that hold all that was committed before they were asked for, by whichever server. */
  readonly reads: Reads;
  /** Look-ups by id; those of one turn share a statement. */
  readonly lookUps: SharedLookUps;
  /** For calls that ask for several reads. */
  readonly answerEach: AnswerEach;
  readonly notifier: ChangeNotifier;
  readonly vocabulary: ResolutionVocabulary;
  /** Work that takes the resolution lock exclusively goes through here. */
  readonly serialized: Serialized;
}
