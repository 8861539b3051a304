import type { Pool } from '@ces/chassis/postgres/pool';
import type { Clock } from '@ces/chassis/service/clock';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { ObservationIndex } from '../index/observation-index.ts';

/** The index by the engine that is configured. */
export interface Engine extends AsyncDisposable {
  readonly index: ObservationIndex;
  /** Name of the lease of whoever writes to it: each engine has a projector of its own. */
  readonly lease: string;
  /** Parts that projectors share the change list by. */
  readonly parts: number;
}

export interface EngineOptions {
  readonly pool: Pool;
  readonly clock: Clock;
  /** Codes of states and provinces with their names. */
  readonly placeCodes: ReadonlyMap<string, string>;
  readonly logger: Logger;
}
