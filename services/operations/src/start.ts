import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { type Broker, startBroker } from '@ces/chassis/nats/broker';
import { createPool, type Pool } from '@ces/chassis/postgres/pool';
import { untilMigrated } from '@ces/chassis/postgres/schema';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { type RunningService, StartupError } from '@ces/chassis/service/lifecycle';
import { serve } from '@ces/chassis/service/serve';
import type { Logger } from '@ces/chassis/telemetry/log';
import { AcquisitionService } from '@ces/proto/ces/acquisition/v1/acquisition_service_pb.ts';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { SearchService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { operationsQueue } from '@ces/proto/streams';
import type { Acquiring } from './actions/company-search/acquire.ts';
import { startRelay } from './background/outbox-publisher.ts';
import { startSweeper } from './background/sweeper.ts';
import { startWorker } from './background/worker.ts';
import type { Config } from './config.ts';
import { listSettlements } from './db/operation-record.ts';
import type { Dependencies, RunTools } from './dependencies.ts';
import { Runs } from './execution/run-pool.ts';
import { LEDGER_TIMEOUT_MS, Ledger } from './ledger/ledger.ts';
import { Endings } from './operation/completion-notifier.ts';
import { Deliveries } from './operation/delivery-batcher.ts';
import { type ReconcilerOptions, startReconciler } from './reconciliation/reconciler.ts';
import { renderSettlement } from './render/operation-record.ts';
import { callers } from './rpc/callers.ts';
import { registerRoutes } from './rpc/routes.ts';
import { observeOperations } from './telemetry/gauges.ts';
import { createMeters } from './telemetry/meters.ts';

const MIGRATIONS = path.join(import.meta.dirname, '../migrations');

const READ_TIMEOUT_MS = 30_000;
/** By when the sweeper has ended whatever has run out of time, in milliseconds. */
const SWEPT_WITHIN_MS = 60_000;

/** Starts operations: RPCs, workers, relay and sweeper in one process. */
export async function start(config: Config, logger: Logger): Promise<RunningService> {
  checkTogether(config);
  await untilMigrated(config, MIGRATIONS, logger);
  const broker = startBroker(config.natsUrl, 'operations', logger);
  const tools = createTools(config, logger, broker);
  const runs = new Runs(tools);
  const bells = operationsQueue(config.natsPrefix);
  const worker = startWorker(tools, runs, broker, bells);
  const relay = startRelay(tools.pool, broker, bells, config.relayIntervalMs, logger);
  const sweeper = startSweeper(tools, worker);
  const draining = new AbortController();
  const deps: Dependencies = {
    ...tools,
    runs,
    draining: draining.signal,
    findWorker: () => (runs.free('queued') > 0 ? worker.wake() : relay.wake()),
  };
  const gauges = observeOperations(tools.pool, logger);
  const reconciler = startReconciler(reconcilerOptions(config, logger, tools.pool), config.reconcileMs);
  const background = [
    gauges,
    reconciler,
    sweeper,
    relay,
    worker,
    runs,
    tools.deliveries,
    inOrder(tools.endings),
    broker,
  ];
  try {
    return await serve({
      config,
      logger,
      pool: tools.pool,
      routes: (router) => registerRoutes(router, deps),
      callers,
      background,
      onClosing: () => draining.abort(),
    });
  } catch (error) {
    for (const part of background) await part[Symbol.asyncDispose]();
    throw error;
  }
}

function reconcilerOptions(config: Config, logger: Logger, pool: Pool): ReconcilerOptions {
  const admin = { url: config.ledgerUrl, callerToken: config.rpcToken, timeoutMs: READ_TIMEOUT_MS };
  return {
    books: {
      ledger: createRpcClient(LedgerAdminService, admin),
      operations: {
        listSettlements: async ({ afterOperationId, limit }) => ({
          settlements: (await listSettlements(pool, afterOperationId, limit)).map(renderSettlement),
        }),
      },
    },
    maxHoldMs: config.pendingMs + config.processingMs + SWEPT_WITHIN_MS,
    logger,
    now: () => new Date(),
  };
}

/** Settings that only make sense together. */
function checkTogether({ heartbeatMs, leaseMs, databasePool }: Config): void {
  if (heartbeatMs * 2 > leaseMs)
    throw new StartupError('CES_OPERATIONS_HEARTBEAT_MS must be at most half of CES_OPERATIONS_LEASE_MS.');
  if (databasePool < 2)
    throw new StartupError('CES_OPERATIONS_DATABASE_POOL must be at least 2: the sweeper keeps one connection.');
}

function createTools(config: Config, logger: Logger, broker: Broker): RunTools {
  const pool = createPool({
    connectionString: config.databaseUrl,
    max: config.databasePool,
    applicationName: 'operations',
    logger,
    prepare: true,
    pipeline: true,
  });
  const peer = (url: string, timeoutMs: number) => ({ url, callerToken: config.rpcToken, timeoutMs });
  const endings = new Endings(broker, config.natsPrefix);
  const meters = createMeters();
  return {
    config,
    logger,
    pool,
    owner: randomUUID(),
    ledger: new Ledger(createRpcClient(LedgerService, peer(config.ledgerUrl, LEDGER_TIMEOUT_MS))),
    endings,
    meters,
    deliveries: new Deliveries(pool, logger, meters, (id) => endings.announce(id)),
    work: {
      lookup: createRpcClient(LookupService, peer(config.lookupUrl, READ_TIMEOUT_MS)),
      search: createRpcClient(SearchService, peer(config.searchUrl, READ_TIMEOUT_MS)),
      cursorKeys: config.cursorKeys,
      cursorTtlMs: config.cursorTtlMs,
      acquiring: config.onDemand ? createAcquiring(config) : undefined,
    },
  };
}

function createAcquiring({ acquisitionUrl: url, rpcToken: callerToken, ...config }: Config): Acquiring {
  return {
    service: createRpcClient(AcquisitionService, { url, callerToken, timeoutMs: READ_TIMEOUT_MS }),
    waitedMs: config.acquireWaitedMs,
    backgroundMs: config.acquireBackgroundMs,
  };
}

function inOrder(part: Disposable): AsyncDisposable {
  return { [Symbol.asyncDispose]: async () => part[Symbol.dispose]() };
}
