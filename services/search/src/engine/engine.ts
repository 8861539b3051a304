import type { Pool } from '@ces/chassis/postgres/pool';
import type { Readiness } from '@ces/chassis/service/admin-server';
import type { Clock } from '@ces/chassis/service/clock';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { ObservationIndex } from '../index/observation-index.ts';

export interface Engine extends AsyncDisposable {
  readonly index: ObservationIndex;
  /** Each engine has its own projector, which holds this lease. */
  readonly lease: string;
  readonly readiness?: () => Readiness;
}

export interface EngineOptions {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly placeCodes: ReadonlyMap<string, string>;
  readonly model?: string | undefined;
  readonly logger: Logger;
}
