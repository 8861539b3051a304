import type { Leases } from '@ces/chassis/postgres/lease';
import type { Pool } from '@ces/chassis/postgres/pool';
import type { Logger } from '@ces/chassis/telemetry/log';

export interface LeaderTaskDependencies {
  readonly pool: Pool;
  readonly leases: Leases;
  readonly logger: Logger;
}

export const MAINTENANCE_LEASE = 'maintenance';
