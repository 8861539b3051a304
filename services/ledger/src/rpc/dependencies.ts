import type { Pool } from '@ces/chassis/postgres/pool';
import type { StreamBatchResults } from '@ces/chassis/rpc/stream-batch-results';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { Counter } from '@opentelemetry/api';
import type { LimitLeases } from '../call-limits/limit-leases.ts';
import type { DeferredWrites } from '../credential/deferred-writes.ts';
import type { PepperChange, Peppers } from '../credential/pepper.ts';
import type { Postings } from '../posting/postings.ts';
import type { DatabaseClock } from '../principal/database-clock.ts';
import type { SigningKeys } from '../principal/signing-keys.ts';

export interface Dependencies {
  readonly pool: Pool;
  readonly postings: Postings;
  readonly limitLeases: LimitLeases;
  readonly peppers: Peppers;
  readonly signingKeys: SigningKeys;
  readonly clock: DatabaseClock;
  /** The last use is stored to the minute. */
  readonly lastUse: DeferredWrites<Date>;
  readonly moves: DeferredWrites<PepperChange>;
  readonly keptDays: number;
  readonly streamBatchResults: StreamBatchResults;
  readonly logger: Logger;
  readonly mismatches: Counter;
}
