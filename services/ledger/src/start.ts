import path from 'node:path';
import { createPool } from '@ces/chassis/postgres/pool';
import { untilMigrated } from '@ces/chassis/postgres/schema';
import type { RunningService } from '@ces/chassis/service/lifecycle';
import { serve } from '@ces/chassis/service/serve';
import { observeGauges } from '@ces/chassis/telemetry/gauges';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { Config } from './config.ts';
import { createLastUse } from './credential/last-use.ts';
import { readOldestHold } from './db/hold.ts';
import { startPruner } from './maintenance/pruner.ts';
import { startReconciler } from './maintenance/reconciler.ts';
import { createPostings, type PostingOptions } from './posting/postings.ts';
import { callers } from './rpc/callers.ts';
import { registerRoutes } from './rpc/routes.ts';
import { countMismatches } from './telemetry/mismatches.ts';

const MIGRATIONS = path.join(import.meta.dirname, '../migrations');

/** A process that freezes inside a posting holds the lock of its subscription no longer than this, in milliseconds. */
const SILENT_PROCESS_MS = 5_000;

const GAUGES = {
  'ces.holds.oldest': { unit: 's', description: 'Age of the oldest units that are held.' },
} as const;

/** Starts the ledger; `overrides` are for tests and benchmarks. */
export async function start(config: Config, logger: Logger, overrides: PostingOptions = {}): Promise<RunningService> {
  await untilMigrated(config, MIGRATIONS, logger);
  const pool = createPool({
    connectionString: config.databaseUrl,
    max: config.databasePool,
    applicationName: 'ledger',
    idleInTransactionTimeoutMs: SILENT_PROCESS_MS,
    pipeline: true,
    logger,
  });
  const lastUse = createLastUse(pool, logger);
  const postings = createPostings(pool, overrides);
  const maintenance = [startReconciler(pool, logger, config.reconcileMs), startPruner(pool, logger, config.keptDays)];
  const gauges = observeGauges(
    GAUGES,
    async () => [{ gauge: 'ces.holds.oldest', value: await readOldestHold(pool) }],
    logger,
  );
  const dependencies = { pool, postings, peppers: config.peppers, lastUse, logger, mismatches: countMismatches() };
  const background = [gauges, ...maintenance, lastUse];
  return await serve({
    config,
    logger,
    pool,
    routes: (router) => registerRoutes(router, dependencies),
    callers,
    background,
  });
}
