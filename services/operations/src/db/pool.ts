import type { PostgresTls } from '@ces/chassis/postgres/connection';
import { createPool, type Pool } from '@ces/chassis/postgres/pool';
import type { Logger } from '@ces/chassis/telemetry/log';

/**
 * Statements are planned once a connection, perhaps while a line is empty: a plan that reads all of it is never taken, since the
 * line may be long when it runs. Nor is a plan for given values: over partitions it looks so much cheaper than it is to make that
 * the server makes one each time (decision 0013).
 */
export const PLANNED_ONCE = { enable_seqscan: 'off', plan_cache_mode: 'force_generic_plan' } as const;

/** The connections of this service. */
export function openPool(
  config: PostgresTls & { readonly databaseUrl: string; readonly databasePool: number },
  logger: Logger,
): Pool {
  return createPool({
    connectionString: config.databaseUrl,
    tls: config,
    max: config.databasePool,
    applicationName: 'operations',
    logger,
    prepare: true,
    pipeline: true,
    settings: PLANNED_ONCE,
  });
}
