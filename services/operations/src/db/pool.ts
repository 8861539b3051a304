import type { PostgresTls } from '@ces/chassis/postgres/connection';
import { createPool, type Pool } from '@ces/chassis/postgres/pool';
import type { Logger } from '@ces/chassis/telemetry/log';

/**
 * Statements are planned once for each connection, perhaps while a queue is empty. `enable_seqscan
 * = off` avoids a scan of a long queue. `force_generic_plan`: custom plans over partitions look so
 * cheap that every call would replan (decision 0013).
 */
export const PLANNER_SETTINGS = { enable_seqscan: 'off', plan_cache_mode: 'force_generic_plan' } as const;

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
    settings: PLANNER_SETTINGS,
  });
}
