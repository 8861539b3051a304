import { randomBytes } from 'node:crypto';
import { createPool } from '@ces/chassis/postgres/pool';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { readSettings } from '@ces/chassis/service/settings';
import { createLogger } from '@ces/chassis/telemetry/log';
import { callerSettings } from '@ces/chassis/test-support/accept-tokens';
import { SearchService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { settings } from '@ces/search/config';
import { start } from '@ces/search/start';
import { RECORD_TOKEN, startRecordServer } from '@ces/search/test-support/record-server';
import { loadVocabulary } from '@ces/search/vocabulary/load-vocabulary';
import type { ServedDatabase } from '../../support/index-database.ts';
import { type ConfiguredEngine, ENGINES, openIndex } from '../../support/search-engine.ts';
import { type Arrivals, startArrivals } from './arrivals.ts';
import type { Engine } from './engine.ts';
import { type Filled, fill } from './fill.ts';
import { searchFilters } from './filter-classes.ts';
import type { GeneratedRecord } from './generated-record.ts';
import { type GoingOn, measureGoingOn } from './going-on.ts';
import { enginesOfIndex, planOf } from './index-engine.ts';
import { measureMemory, memoryGrowth, type ProcessMemory } from './process-memory.ts';
import { type ProcessorClock, processorClock } from './processor-clock.ts';
import { warmUp } from './warm-up.ts';

const CANDIDATES = 200;

export interface OwnEnvironment {
  readonly database: ServedDatabase;
  readonly configured: ConfiguredEngine;
}

/** The index without and with company context, and the RPC of a whole service. */
export interface OwnEngines extends AsyncDisposable {
  readonly name: string;
  readonly raw: Engine;
  /** The index with company profiles, as the RPC uses it. */
  readonly withContext: Engine;
  readonly rpc: Engine;
  readonly bytes: number;
  readonly filled: Filled;
  /** Time from the start of the service until it answered. */
  readonly loadedAfterSeconds: number;
  /**
   * Memory growth when the service started and searched. It includes its memory index, but not code
   * already loaded by this process.
   */
  readonly serviceMemory: ProcessMemory;
  /** Process id of the server with the index. Undefined if it is on another machine. */
  readonly serverPid: number | undefined;
  readonly clock: ProcessorClock;
  readonly goOn: () => Promise<GoingOn>;
  readonly startArrivals: () => Arrivals;
}

/**
 * Fills the index of the search service unless it is full, and starts a service on it. Uses the
 * engine's settings and otherwise the defaults. An error from `onFilled` aborts it.
 */
export async function fillOwn(
  record: GeneratedRecord,
  { database, configured }: OwnEnvironment,
  onFilled: (share: number) => void,
): Promise<OwnEngines> {
  await using opening = new AsyncDisposableStack();
  const logger = createLogger('search', 'error');
  const server = opening.use(await startRecordServer());
  const config = readSettings(settings, {
    CES_SEARCH_PORT: '0',
    CES_SEARCH_DATABASE_URL: database.url,
    ...callerSettings({ operations: 'operations' }),
    CES_RPC_TOKENS: `lookup=${RECORD_TOKEN}`,
    CES_LOOKUP_URL: server.url,
    CES_NATS_PREFIX: `bench_${randomBytes(4).toString('hex')}`,
    ...configured.settings,
  });
  const pool = createPool({
    connectionString: database.url,
    max: 4,
    applicationName: 'search bench',
    pipeline: true,
    logger,
    statementTimeoutMs: 600_000,
  });
  opening.defer(() => pool.end());
  const around = { databaseUrl: database.url, pool, vocabulary: loadVocabulary() };
  const { index } = opening.use(await openIndex(configured, around));
  const { openSearch } = configured;
  const forget = async (above: number) => {
    if (openSearch) return await openSearch.forget(above);
    for (const table of ['entry', 'indexed'])
      await pool.query(`delete from ${table} where observation_id > $1`, [above]);
  };
  const filled = await fill(index, record, onFilled);
  const name = ENGINES[configured.name];
  const ofIndex = enginesOfIndex(name, index);
  /*
   * Loads the index of the direct engine first, so that the measured memory is only the service's.
   */
  await warmUp(ofIndex.withContext, record);
  const before = measureMemory();
  const service = opening.use(await start(config, logger));
  const rpc = engineOfService(name, service.url);
  const loadedAfterSeconds = await warmUp(rpc, record);
  const serviceMemory = memoryGrowth(before, measureMemory());
  const clock = processorClock(database.serverPid, openSearch?.pid);
  const stack = opening.move();
  return {
    ...ofIndex,
    rpc,
    loadedAfterSeconds,
    serviceMemory,
    name,
    bytes: Number((await index.size()).bytes),
    filled,
    serverPid: openSearch ? openSearch.pid : database.serverPid,
    clock,
    goOn: () => measureGoingOn(index, record, clock, forget),
    startArrivals: () => startArrivals(index, record, forget),
    [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
  };
}

function engineOfService(name: string, url: string): Engine {
  const search = createRpcClient(SearchService, { url, callerToken: 'operations', timeoutMs: 60_000 });
  return {
    name: `${name}: search.Search`,
    hasContext: true,
    async ask(words, within) {
      const plan = planOf(words, true);
      const filters = searchFilters(within);
      await search.search({ plan, filters, candidateLimit: CANDIDATES, maxCompanies: CANDIDATES });
      return { ids: () => [] };
    },
  };
}
