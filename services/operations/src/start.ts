import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { CallerLimits } from '@ces/chassis/limits/caller-limits';
import { SharedLimits } from '@ces/chassis/limits/shared-limits';
import { type Broker, startBroker } from '@ces/chassis/nats/broker';
import { createLeases } from '@ces/chassis/postgres/lease';
import type { Pool } from '@ces/chassis/postgres/pool';
import { waitForMigrations } from '@ces/chassis/postgres/schema';
import { createRpcClient } from '@ces/chassis/rpc/client';
import type { RequestSizes } from '@ces/chassis/rpc/message-size';
import { outgoingTokensFor } from '@ces/chassis/rpc/outgoing-tokens';
import { serve } from '@ces/chassis/serve';
import { type RunningService, StartupError } from '@ces/chassis/service/lifecycle';
import type { Logger } from '@ces/chassis/telemetry/log';
import { AcquisitionService } from '@ces/proto/ces/acquisition/v1/acquisition_service_pb.ts';
import { CallLimitService } from '@ces/proto/ces/ledger/v1/call_limit_service_pb.ts';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { SearchService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { operationsQueue, operationsWaitingSubject } from '@ces/proto/streams';
import type { Acquisition, ActionDependencies } from './actions/action.ts';
import { batchReads } from './actions/batched-reads.ts';
import { startOutboxPublisher } from './background/outbox-publisher.ts';
import { startRetention } from './background/retention.ts';
import { startSweeper } from './background/sweeper.ts';
import { startWorker } from './background/worker.ts';
import type { Config } from './config.ts';
import type { AtCrashPoint } from './crash-points.ts';
import { observeOperations } from './db/gauges.ts';
import { listSettlements } from './db/operation-record.ts';
import { openPool } from './db/pool.ts';
import type { Dependencies } from './dependencies.ts';
import type { RunDependencies } from './execution/execute.ts';
import { observeRuns, RunPool } from './execution/run-pool.ts';
import { LEDGER_TIMEOUT_MS, Ledger } from './ledger/ledger.ts';
import { checkRetention } from './ledger/retention.ts';
import { CompletionNotifier } from './operation/completion-notifier.ts';
import { createDeliveries } from './operation/deliveries.ts';
import { LedgerKeyCache } from './principal/ledger-keys.ts';
import { createPrincipals } from './principal/principals.ts';
import { startLostNumberCheck } from './reconciliation/lost-numbers.ts';
import { type ReconcilerOptions, startReconciler } from './reconciliation/reconciler.ts';
import { renderSettlement } from './render/operation-record.ts';
import { callers } from './rpc/callers.ts';
import { createIdentify } from './rpc/principal.ts';
import { registerRoutes } from './rpc/routes.ts';
import { createMeters } from './telemetry/meters.ts';

/** Twice the public interface's largest body, against unauthenticated callers. */
const SUBMITTED_BYTES = 256 * 1024;

const requestSizes: RequestSizes = { [OperationsService.typeName]: { '*': SUBMITTED_BYTES } };

export interface Overrides {
  readonly atCrashPoint?: AtCrashPoint;
}

const MIGRATIONS = path.join(import.meta.dirname, '../migrations');

const READ_TIMEOUT_MS = 30_000;
/** After this, callers are limited by this process's counts only. */
const LIMITS_TIMEOUT_MS = 2_000;
/** How soon the sweeper ends operations whose time has run out. */
const SWEPT_WITHIN_MS = 60_000;

export async function start(config: Config, logger: Logger, overrides: Overrides = {}): Promise<RunningService> {
  checkTogether(config);
  await waitForMigrations(config, MIGRATIONS, logger);
  const broker = startBroker(config, 'operations', logger);
  const shared = createShared(config, logger, broker, overrides.atCrashPoint ?? (() => undefined));
  const { pool, atCrashPoint } = shared;
  await checkRetention(shared.ledger, config, logger);
  const runPool = new RunPool(shared);
  const queue = operationsQueue(config.natsPrefix);
  const waitingSubject = operationsWaitingSubject(config.natsPrefix);
  const worker = startWorker(shared, runPool, broker, { queue, waitingSubject });
  const publisher = startOutboxPublisher(
    { pool, broker, queue, waitingSubject, logger, atCrashPoint },
    config.outboxPollMs,
  );
  const draining = new AbortController();
  const leases = createLeases({ ...config, applicationName: 'operations', logger });
  const ledgerAdmin = createRpcClient(LedgerAdminService, peer(config, 'ledger'));
  const limits = createLimits(config, logger);
  const deps: Dependencies = {
    ...shared,
    ledgerAdmin,
    principals: createPrincipals(new LedgerKeyCache(shared.ledger), logger),
    runPool,
    callerLimits: new CallerLimits(limits, config),
    draining: draining.signal,
    dispatch: () => (runPool.freeSlots('queued') > 0 ? worker.wake() : publisher.wake()),
  };
  const background = [
    observeOperations(pool, logger),
    observeRuns(runPool, logger),
    startReconciler(reconcilerOptions(config, shared, ledgerAdmin), leases, config.reconcileMs),
    startLostNumberCheck(shared, config.reconcileMs),
    startSweeper(shared, () => worker.wake()),
    startRetention(pool, leases, config.retentionMs, logger),
    leases,
    limits,
    publisher,
    worker,
    runPool,
    shared.deliveries,
    inOrder(shared.completions),
    broker,
  ];
  try {
    return await serve({
      config,
      logger,
      pool,
      routes: (router) => registerRoutes(router, deps),
      callers,
      requestSizes,
      identify: createIdentify(deps),
      background,
      onClosing: () => draining.abort(),
    });
  } catch (error) {
    for (const part of background) await part[Symbol.asyncDispose]();
    throw error;
  }
}

function checkTogether({ heartbeatMs, leaseMs }: Config): void {
  if (heartbeatMs * 2 > leaseMs)
    throw new StartupError('CES_OPERATIONS_HEARTBEAT_MS must be at most half of CES_OPERATIONS_LEASE_MS.');
}

function createShared(config: Config, logger: Logger, broker: Broker, atCrashPoint: AtCrashPoint): RunDependencies {
  const pool = openPool(config, logger);
  const ledger = createRpcClient(LedgerService, peer(config, 'ledger', LEDGER_TIMEOUT_MS));
  const completions = new CompletionNotifier(broker, config.natsPrefix);
  const meters = createMeters();
  const onDelivered = (id: bigint) => completions.notify(id);
  return {
    config,
    logger,
    pool,
    owner: randomUUID(),
    ledger: new Ledger(ledger),
    completions,
    meters,
    deliveries: createDeliveries({ pool, logger, meters, onDelivered, atCrashPoint }),
    actions: actionDependencies(config, pool),
    atCrashPoint,
  };
}

function actionDependencies(config: Config, pool: Pool): ActionDependencies {
  return {
    db: pool,
    lookup: batchReads(createRpcClient(LookupService, peer(config, 'lookup'))),
    search: createRpcClient(SearchService, peer(config, 'search')),
    cursorKeys: config.cursorKeys,
    cursorTtlMs: config.cursorTtlMs,
    sandboxSlowMs: config.sandboxSlowMs,
    diagnosticsAnHour: config.diagnosticsAnHour,
    acquisition: config.onDemand ? acquisitionOf(config) : undefined,
  };
}

function acquisitionOf(config: Config): Acquisition {
  return {
    service: createRpcClient(AcquisitionService, peer(config, 'acquisition')),
    waitedMs: config.acquireWaitedMs,
  };
}

function createLimits(config: Config, logger: Logger): SharedLimits {
  const { take } = createRpcClient(CallLimitService, peer(config, 'ledger', LIMITS_TIMEOUT_MS));
  return new SharedLimits({ take, now: () => performance.now(), logger });
}

function reconcilerOptions(
  config: Config,
  { logger, pool }: RunDependencies,
  ledgerAdmin: Dependencies['ledgerAdmin'],
): ReconcilerOptions {
  return {
    pool,
    sources: {
      ledger: ledgerAdmin,
      operations: {
        listSettlements: async ({ afterOperationId, limit }) => ({
          settlements: (await listSettlements(pool, afterOperationId, limit, config.retentionMs)).map(renderSettlement),
        }),
      },
    },
    maxHoldMs: config.pendingMs + config.processingMs + SWEPT_WITHIN_MS,
    keptMs: config.retentionMs,
    logger,
  };
}

function peer(config: Config, name: 'ledger' | 'lookup' | 'search' | 'acquisition', timeoutMs = READ_TIMEOUT_MS) {
  return { url: config[`${name}Url`], callerToken: outgoingTokensFor(config, name), tls: config, timeoutMs };
}

function inOrder(part: Disposable): AsyncDisposable {
  return { [Symbol.asyncDispose]: async () => part[Symbol.dispose]() };
}
