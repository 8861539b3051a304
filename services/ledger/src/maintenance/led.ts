import type { Leases } from '@ces/chassis/postgres/lease';
import type { Pool } from '@ces/chassis/postgres/pool';
import type { Logger } from '@ces/chassis/telemetry/log';

/** What maintenance needs, which one process of all does. Two that do it at once do the same, and do no harm. */
export interface Led {
  readonly pool: Pool;
  readonly leases: Leases;
  readonly logger: Logger;
}

/** The lease of all maintenance: whoever holds it does all of it, and renews one row. */
export const MAINTENANCE = 'maintenance';
