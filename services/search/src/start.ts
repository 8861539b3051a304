import path from 'node:path';
import { startBroker } from '@ces/chassis/nats/broker';
import { createLeases } from '@ces/chassis/postgres/lease';
import { createPool } from '@ces/chassis/postgres/pool';
import { waitForMigrations } from '@ces/chassis/postgres/schema';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { outgoingTokensFor } from '@ces/chassis/rpc/outgoing-tokens';
import { serve } from '@ces/chassis/serve';
import { type Clock, systemClock } from '@ces/chassis/service/clock';
import type { RunningService } from '@ces/chassis/service/lifecycle';
import type { Logger } from '@ces/chassis/telemetry/log';
import { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { evidenceQueue } from '@ces/proto/streams';
import type { Config } from './config.ts';
import type { Dependencies } from './dependencies.ts';
import { chooseEmbedders, type Embedders } from './embedding/choose-embedder.ts';
import { createEmbedQuery } from './embedding/embed-query.ts';
import type { Embedder } from './embedding/embedder.ts';
import { startVectorFilling } from './embedding/fill-vectors.ts';
import { openEngine, ownConnectionsOf } from './engine/open-engine.ts';
import { createPlanner } from './planning/planner.ts';
import { startProjector } from './projector/projector.ts';
import { type Calibration, currentCalibration } from './ranking/calibration.ts';
import { FOUND_FROM } from './ranking/weights.ts';
import { createRerankingReorderer } from './reranking/rerank-companies.ts';
import type { Reranker } from './reranking/reranker.ts';
import { callers } from './rpc/callers.ts';
import { registerRoutes } from './rpc/routes.ts';
import { loadVocabulary } from './vocabulary/load-vocabulary.ts';

const MIGRATIONS = path.join(import.meta.dirname, '../migrations');

const LOOKUP_TIMEOUT_MS = 15_000;

export interface Overrides {
  readonly clock?: Clock;
  readonly embedders?: Embedders;
  readonly reranker?: Reranker;
  readonly calibration?: Calibration;
  readonly lookEveryMs?: number;
}

/** A projector that stops inside a transaction holds the feed at most this long. */
const SILENT_PROCESS_MS = 5_000;

export async function start(config: Config, logger: Logger, overrides: Overrides = {}): Promise<RunningService> {
  await waitForMigrations(config, MIGRATIONS, logger);
  const clock = overrides.clock ?? systemClock;
  const pool = createPool({
    connectionString: config.databaseUrl,
    tls: config,
    max: Math.max(1, config.databasePool - ownConnectionsOf(config)),
    applicationName: 'search',
    idleInTransactionTimeoutMs: SILENT_PROCESS_MS,
    pipeline: true,
    logger,
  });
  const vocabulary = loadVocabulary();
  const embedders = overrides.embedders ?? chooseEmbedders(config, logger);
  const engine = await openEngine(config, {
    pool,
    clock,
    placeCodes: vocabulary.placeCodes,
    model: embedders?.queries.model,
    logger,
  });
  const { index } = engine;
  const lookup = createRpcClient(LookupService, {
    url: config.lookupUrl,
    callerToken: outgoingTokensFor(config, 'lookup'),
    tls: config,
    timeoutMs: LOOKUP_TIMEOUT_MS,
  });
  const broker = startBroker(config, 'search', logger);
  const leases = createLeases({ ...config, applicationName: 'search', logger });
  const projector = startProjector({
    index,
    lease: engine.lease,
    leases,
    lookEveryMs: overrides.lookEveryMs,
    lookup,
    broker,
    evidenceQueue: evidenceQueue(config.natsPrefix),
    logger,
  });
  const filling =
    embedders &&
    startVectorFilling({
      embedder: embedders.passages,
      pool,
      leases,
      lookup,
      clock,
      logger,
      lookEveryMs: overrides.lookEveryMs,
    });
  const calibration = overrides.calibration ?? currentCalibration();
  const dependencies = {
    db: pool,
    index,
    vocabulary,
    lookup,
    planner: createPlanner(config, { vocabulary, clock, logger }),
    meaning: embedders && meaningOf(config, { embedder: embedders.queries, calibration, clock, logger }),
    reorderer: createRerankingReorderer(config, { lookup, logger, clock, reranker: overrides.reranker }),
    calibration,
    minimumRelevance: config.minimumRelevance,
    wakeProjector: projector.wake,
  };
  return await serve({
    config,
    logger,
    pool,
    callers,
    routes: (router) => registerRoutes(router, dependencies),
    ...(engine.readiness && { readiness: engine.readiness }),
    background: [projector, ...(filling ? [filling] : []), ...(embedders ? [embedders] : []), leases, broker, engine],
  });
}

function meaningOf(
  config: Config,
  { embedder, calibration, ...tools }: { embedder: Embedder; calibration: Calibration; clock: Clock; logger: Logger },
): Dependencies['meaning'] {
  const { embeddingTimeoutMs: timeoutMs, embeddingConcurrency: concurrency, embeddingWeight: weight } = config;
  const { model } = embedder;
  /* Cosines of another model have another scale. */
  const findsFrom = model === calibration.meaning?.model ? FOUND_FROM : undefined;
  return {
    embed: createEmbedQuery(embedder, { timeoutMs, concurrency }, tools),
    comparison: { model, weight, findsFrom },
  };
}
