import type { Pool } from '@ces/chassis/postgres/pool';
import type { AnswerEach } from '@ces/chassis/rpc/answer-each';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { Counter } from '@opentelemetry/api';
import type { Shares } from '../call-limits/shares.ts';
import type { DeferredWrites } from '../credential/deferred-writes.ts';
import type { Move, Peppers } from '../credential/pepper.ts';
import type { Postings } from '../posting/postings.ts';
import type { DatabaseClock } from '../principal/database-clock.ts';
import type { SigningKey } from '../principal/signing-keys.ts';

/** What the handlers work with. */
export interface Dependencies {
  readonly pool: Pool;
  readonly postings: Postings;
  readonly shares: Shares;
  readonly peppers: Peppers;
  /** The first signs; none: nothing is signed. */
  readonly signingKeys: readonly SigningKey[];
  /** By which what is signed expires. */
  readonly clock: DatabaseClock;
  /** When credentials were last used, to the minute. */
  readonly lastUse: DeferredWrites<Date>;
  /** Credentials that were used and are not where they should be. */
  readonly moves: DeferredWrites<Move>;
  /** How long holds and entries are kept, in days. */
  readonly keptDays: number;
  /** For calls that ask for several postings. */
  readonly answerEach: AnswerEach;
  readonly logger: Logger;
  /** Calls that named another operation than the ledger knows under their number. */
  readonly mismatches: Counter;
}
