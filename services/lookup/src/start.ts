import path from 'node:path';
import { startBroker } from '@ces/chassis/nats/broker';
import { createPool, type Pool } from '@ces/chassis/postgres/pool';
import { waitForMigrations } from '@ces/chassis/postgres/schema';
import { MAX_MESSAGE_BYTES, type RequestSizes } from '@ces/chassis/rpc/message-size';
import { createStreamBatchResults } from '@ces/chassis/rpc/stream-batch-results';
import { serve } from '@ces/chassis/serve';
import type { RunningService } from '@ces/chassis/service/lifecycle';
import type { Logger } from '@ces/chassis/telemetry/log';
import { evidenceQueue } from '@ces/proto/streams';
import { createChangeNotifier } from './changes/change-notifier.ts';
import { hasForeignChanges, markForeignChangesPast } from './changes/feed-epoch.ts';
import type { Config } from './config.ts';
import { startCoverageKeeper } from './coverage/coverage-keeper.ts';
import { startRangePartitionKeeper } from './db/partition.ts';
import { PLANNER_SETTINGS } from './db/planner-settings.ts';
import { shareLookUps } from './hydration/shared-look-ups.ts';
import { loadResolutionVocabulary } from './matching/vocabulary.ts';
import { createReplicaReads, type Reads, readPrimary } from './replica/reads.ts';
import { startFillingNameKeys } from './resolution/fill-name-keys.ts';
import { createSerializedQueue } from './resolution/serialized.ts';
import { callers } from './rpc/callers.ts';
import { registerRoutes } from './rpc/routes.ts';

const requestSizes: RequestSizes = {
  'ces.lookup.v1.RecordService': {
    RecordCompanies: MAX_MESSAGE_BYTES,
    RecordEvidence: MAX_MESSAGE_BYTES,
    RecordClosings: MAX_MESSAGE_BYTES,
    RecordVerification: MAX_MESSAGE_BYTES,
  },
};

const MIGRATIONS = path.join(import.meta.dirname, '../migrations');

/** A frozen process must not hold the commit-order lock for long. */
const IDLE_IN_TRANSACTION_MS = 5_000;

const CHANGES_AT_ONCE = 20_000;

export async function start(config: Config, logger: Logger): Promise<RunningService> {
  await waitForMigrations(config, MIGRATIONS, logger);
  const pool = createPool({
    connectionString: config.databaseUrl,
    tls: config,
    max: config.databasePool,
    applicationName: 'lookup',
    settings: PLANNER_SETTINGS,
    idleInTransactionTimeoutMs: IDLE_IN_TRANSACTION_MS,
    logger,
    pipeline: true,
    prepare: true,
  });
  await settleAll(pool, logger);
  const replica = openReplica(config, logger);
  const reads: Reads = replica ? createReplicaReads(pool, replica, logger) : readPrimary(pool);
  const broker = startBroker(config, 'lookup', logger);
  const notifier = createChangeNotifier(broker, evidenceQueue(config.natsPrefix), logger);
  const vocabulary = loadResolutionVocabulary();
  const partitions = startRangePartitionKeeper(pool, logger);
  const coverage = startCoverageKeeper(pool, logger);
  const names = startFillingNameKeys(pool, vocabulary, logger);
  const dependencies = {
    pool,
    reads,
    lookUpIds: shareLookUps(reads),
    streamBatchResults: createStreamBatchResults(logger),
    notifier,
    vocabulary,
    serialized: createSerializedQueue(),
  };
  return await serve({
    config,
    logger,
    pool,
    routes: (router) => registerRoutes(router, dependencies),
    callers,
    requestSizes,
    background: [
      names,
      coverage,
      partitions,
      broker,
      { [Symbol.asyncDispose]: async () => void (await replica?.end()) },
    ],
  });
}

function openReplica(config: Config, logger: Logger): Pool | undefined {
  if (config.replicaDatabaseUrl === '') return undefined;
  return createPool({
    connectionString: config.replicaDatabaseUrl,
    tls: config,
    max: config.databasePool,
    applicationName: 'lookup replica',
    settings: PLANNER_SETTINGS,
    logger,
    pipeline: true,
    prepare: true,
  });
}

/** After a restore of another server's dump, the feed shows no changes until this has run. */
async function settleAll(pool: Pool, logger: Logger): Promise<void> {
  if (!(await hasForeignChanges(pool))) return;
  for (let isDone = false; !isDone; ) ({ isDone } = await markForeignChangesPast(pool, CHANGES_AT_ONCE));
  logger.warn('the change feed was numbered by another server: a new epoch has begun');
}
