import type { Leases } from '@ces/chassis/postgres/lease';
import type { Pool } from '@ces/chassis/postgres/pool';
import type { Logger } from '@ces/chassis/telemetry/log';

/** One process does all maintenance. Two at the same time do the same work, which does no harm. */
export interface LeaderTaskDependencies {
  readonly pool: Pool;
  readonly leases: Leases;
  readonly logger: Logger;
}

/** All maintenance shares one lease, so the leading process renews one row. */
export const MAINTENANCE_LEASE = 'maintenance';
