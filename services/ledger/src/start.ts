import path from 'node:path';
import { createLeases } from '@ces/chassis/postgres/lease';
import { createPool, type Pool } from '@ces/chassis/postgres/pool';
import { waitForMigrations } from '@ces/chassis/postgres/schema';
import { createStreamBatchResults } from '@ces/chassis/rpc/stream-batch-results';
import { serve } from '@ces/chassis/serve';
import type { RunningService } from '@ces/chassis/service/lifecycle';
import type { Logger } from '@ces/chassis/telemetry/log';
import { startCallLimitCleanup } from './call-limits/delete-unused.ts';
import { createLimitLeases } from './call-limits/limit-leases.ts';
import type { Config } from './config.ts';
import { createDeferredWrites } from './credential/deferred-writes.ts';
import type { PepperChange, Peppers } from './credential/pepper.ts';
import { recordUse } from './db/credential.ts';
import { readPepperNeeds, writePepperChanges } from './db/credential-pepper.ts';
import { observeLedger } from './db/gauges.ts';
import { startPartitionKeeper } from './maintenance/partitions.ts';
import { startPruner } from './maintenance/pruner.ts';
import { startReconciler } from './maintenance/reconciler.ts';
import { startRefusalCleanup } from './maintenance/refusals.ts';
import { startScrubber } from './maintenance/scrubber.ts';
import { createPostings } from './posting/postings.ts';
import { DatabaseClock } from './principal/database-clock.ts';
import { callers } from './rpc/callers.ts';
import { countMismatches } from './rpc/mismatch.ts';
import { registerRoutes } from './rpc/routes.ts';

const MIGRATIONS = path.join(import.meta.dirname, '../migrations');

/** A process that freezes inside a posting holds the subscription's lock for at most this. */
const SILENT_PROCESS_MS = 5_000;

/**
 * A generic plan prunes partitions; planning over two years of them takes longer than most calls.
 * It looks expensive, so Postgres would add workers and JIT, a hundred times as slow (measured).
 */
const PLANNING = {
  prepare: true,
  settings: { plan_cache_mode: 'force_generic_plan', max_parallel_workers_per_gather: '0', jit: 'off' },
} as const;

export async function start(config: Config, logger: Logger): Promise<RunningService> {
  await waitForMigrations(config, MIGRATIONS, logger);
  const pool = createPool({
    connectionString: config.databaseUrl,
    tls: config,
    max: config.databasePool,
    applicationName: 'ledger',
    idleInTransactionTimeoutMs: SILENT_PROCESS_MS,
    pipeline: true,
    ...PLANNING,
    logger,
  });
  const lastUse = createDeferredWrites<Date>({
    name: 'writing the last use of credentials',
    write: (uses) => recordUse(pool, uses),
    logger,
  });
  const moves = createDeferredWrites<PepperChange>({
    name: 'moving credentials to the newest pepper',
    write: (found) => writePepperChanges(pool, found),
    logger,
  });
  const postings = createPostings(pool);
  const leases = createLeases({ ...config, applicationName: 'ledger', logger });
  const shared = { pool, leases, logger };
  const maintenance = [
    startReconciler(shared, config.reconcileMs),
    startScrubber(shared),
    startPartitionKeeper(shared, config.keptDays),
    startPruner(shared, config.keptDays),
    startRefusalCleanup(shared),
    startCallLimitCleanup(shared),
  ];
  const gauges = observeLedger(pool, config.peppers, logger);
  await warnOfMissingPeppers(pool, config.peppers, logger);
  const dependencies = {
    pool,
    postings,
    limitLeases: createLimitLeases(pool),
    peppers: config.peppers,
    signingKeys: config.signingKeys,
    clock: new DatabaseClock(pool),
    keptDays: config.keptDays,
    lastUse,
    moves,
    streamBatchResults: createStreamBatchResults(logger),
    logger,
    mismatches: countMismatches(),
  };
  const background = [gauges, ...maintenance, leases, lastUse, moves];
  return await serve({
    config,
    logger,
    pool,
    routes: (router) => registerRoutes(router, dependencies),
    callers,
    background,
  });
}

/** If a pepper is removed too early, the ledger refuses valid keys. */
async function warnOfMissingPeppers(pool: Pool, peppers: Peppers, logger: Logger): Promise<void> {
  const { missing, missingPeppers } = await readPepperNeeds(pool, peppers);
  if (missing > 0)
    logger.error(
      { credentials: missing, peppers: missingPeppers },
      'API keys are refused, since CES_LEDGER_PEPPERS lacks the pepper that they need: put it back behind the others',
    );
}
