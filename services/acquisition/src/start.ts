import path from 'node:path';
import { createLeases } from '@ces/chassis/postgres/lease';
import { createPool } from '@ces/chassis/postgres/pool';
import { waitForMigrations } from '@ces/chassis/postgres/schema';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { outgoingTokensFor } from '@ces/chassis/rpc/outgoing-tokens';
import { serve } from '@ces/chassis/serve';
import { type Clock, systemClock } from '@ces/chassis/service/clock';
import type { RunningService } from '@ces/chassis/service/lifecycle';
import type { Logger } from '@ces/chassis/telemetry/log';
import { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { Config } from './config.ts';
import type { Source } from './connector/source.ts';
import { Sources } from './connector/sources.ts';
import { startMonthPartitionKeeper } from './db/partition.ts';
import { observeSources } from './db/source-gauges.ts';
import { areasOfCity } from './extract/places/gazetteer.ts';
import { Fetcher } from './fetch/fetcher.ts';
import { createGuardedAgent } from './fetch/guarded-agent.ts';
import { countUndecodable } from './ingest/ingest-document.ts';
import { requestSizes } from './rpc/ingest-document.ts';
import { callers, registerRoutes } from './rpc/routes.ts';
import { BackgroundRuns } from './run/background-runs.ts';
import { Pending } from './run/pending.ts';
import { SourceRegistrar, startRegistration } from './run/register-source.ts';
import { startHousekeeping } from './schedule/housekeeping.ts';
import { startScheduler } from './schedule/scheduler.ts';
import { sources as registered } from './sources/registry.ts';

const MIGRATIONS = path.join(import.meta.dirname, '../migrations');

/** 500 records that are all new. */
const RECORD_TIMEOUT_MS = 60_000;

export interface Overrides {
  readonly clock?: Clock;
  readonly sources?: readonly Source[];
}

export async function start(config: Config, logger: Logger, overrides: Overrides = {}): Promise<RunningService> {
  await waitForMigrations(config, MIGRATIONS, logger);
  areasOfCity(''); // Loads the cities now: loading blocks the event loop and would delay calls.
  const clock = overrides.clock ?? systemClock;
  const pool = createPool({
    connectionString: config.databaseUrl,
    tls: config,
    max: config.databasePool,
    applicationName: 'acquisition',
    logger,
  });
  const record = createRpcClient(RecordService, {
    url: config.lookupUrl,
    callerToken: outgoingTokensFor(config, 'lookup'),
    tls: config,
    timeoutMs: RECORD_TIMEOUT_MS,
  });
  const sources = new Sources(overrides.sources ?? registered);
  for (const { name } of sources.all) countUndecodable(name, 0);
  const tools = { pool, record, clock, logger };
  const registrar = new SourceRegistrar(tools);
  const { allowedAddresses: allowed, userAgent, mirrors, proxy } = config;
  const agent = createGuardedAgent({ allowed, ...(proxy !== '' && { proxy }) });
  const fetcher = new Fetcher({ pool, clock, agent, userAgent, mirrors });
  const fetchTools = { ...tools, fetcher, registrar, secrets: config.secrets };
  const runs = new BackgroundRuns(fetchTools);
  const pending = new Pending();
  const dependencies = { ...fetchTools, config, sources, runs, pending };
  const service = { ...tools, sources, secrets: config.secrets, runs };
  const registration = startRegistration(registrar, sources.all, logger);
  const partitions = startMonthPartitionKeeper(pool, logger);
  const housekeeping = startHousekeeping(pool, config.cacheTtlMs, logger);
  const leases = createLeases({ ...config, applicationName: 'acquisition', logger });
  const scheduler = config.schedules
    ? [observeSources({ ...tools, sources }), startScheduler(service, leases, config.scheduleIntervalMs)]
    : [];
  return await serve({
    config,
    logger,
    pool,
    callers,
    requestSizes,
    routes: (router) => registerRoutes(router, dependencies),
    background: [
      ...scheduler,
      leases,
      registration,
      housekeeping,
      partitions,
      runs,
      pending,
      { [Symbol.asyncDispose]: () => agent.destroy() },
    ],
  });
}
