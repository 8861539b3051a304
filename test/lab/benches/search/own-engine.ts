import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { create } from '@bufbuild/protobuf';
import { createPool } from '@ces/chassis/postgres/pool';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { readSettings } from '@ces/chassis/service/settings';
import { createLogger } from '@ces/chassis/telemetry/log';
import { callerSettings } from '@ces/chassis/test-support/accept-tokens';
import { type Plan, PlanSchema, Retrieval } from '@ces/proto/ces/search/v1/search_pb.ts';
import { SearchService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { type Config, settings } from '@ces/search/config';
import type { ObservationIndex } from '@ces/search/index/observation-index';
import { start } from '@ces/search/start';
import { RECORD_TOKEN, startRecordServer } from '@ces/search/test-support/record-server';
import { loadVocabulary } from '@ces/search/vocabulary/load-vocabulary';
import type { ServedDatabase } from '../../support/index-database.ts';
import { type ConfiguredEngine, ENGINES, openIndex } from '../../support/search-engine.ts';
import { liveMemory, type ProcessorClock, processorClock } from './costs.ts';
import { type Added, type Arrivals, type Filled, fill, measureAdding, startArrivals } from './feed.ts';
import { type FilterClass, searchFilters } from './filter-classes.ts';
import type { GeneratedRecord } from './generated-record.ts';

/** The result limit, in companies. */
const HITS = 200;
const WARM_UP_PAUSE_MS = 100;
/** Bounds the load of a memory index: a minimum, and an allowance an observation. */
const LEAST_MS = 60_000;
const OBSERVATION_MS = 0.6;

export interface Engine {
  readonly name: string;
  ask(words: readonly string[], within: FilterClass): Promise<unknown>;
}

/** An index with company profiles, and the RPC of a whole service on it. */
export interface OwnEngines extends AsyncDisposable {
  readonly name: string;
  readonly index: Engine;
  readonly rpc: Engine;
  /** Index size on disk. */
  readonly bytes: number;
  readonly filled: Filled;
  /** Time from the start of the service until it answered, without a file of its index. */
  readonly loadedAfterSeconds: number;
  /** The same with the file that the first start wrote. Undefined if the engine has none. */
  readonly loadedFromFileSeconds: number | undefined;
  /** Live memory that the service added when it started and searched, its code left out. */
  readonly serviceBytes: number;
  /** Process id of the server with the index. Undefined if it is on another machine. */
  readonly serverPid: number | undefined;
  readonly clock: ProcessorClock;
  readonly add: () => Promise<Added>;
  readonly startArrivals: () => Arrivals;
}

/**
 * Fills the index of the search service unless it is full, and starts a service on it. Uses the
 * engine's settings and otherwise the defaults. An error from `onFilled` aborts it.
 */
export async function fillOwn(
  record: GeneratedRecord,
  { database, configured }: { readonly database: ServedDatabase; readonly configured: ConfiguredEngine },
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
  const direct = engineOfIndex(name, index);
  // Loads this index first, so that the measured memory is only the service's.
  await warmUp(direct, record);
  const first = openSearch ? undefined : await loadFromPostgres(config, name, record, opening);
  const before = liveMemory();
  const service = opening.use(await start(first?.config ?? config, logger));
  const rpc = engineOfService(name, service.url);
  const seconds = await warmUp(rpc, record);
  const clock = processorClock(database.serverPid, openSearch?.pid);
  const serviceBytes = liveMemory() - before;
  const stack = opening.move();
  return {
    ...{ name, index: direct, rpc, filled, serviceBytes, clock },
    loadedAfterSeconds: first?.seconds ?? seconds,
    loadedFromFileSeconds: first && seconds,
    bytes: Number((await index.size()).bytes),
    serverPid: openSearch ? openSearch.pid : database.serverPid,
    add: () => measureAdding(index, record, clock, forget),
    startArrivals: () => startArrivals(index, record, forget),
    [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
  };
}

/** Starts the service without a file of its index, until it has written one. */
async function loadFromPostgres(
  config: Config,
  name: string,
  record: GeneratedRecord,
  opening: AsyncDisposableStack,
): Promise<{ readonly config: Config; readonly seconds: number }> {
  const indexDirectory = await mkdtemp(path.join(os.tmpdir(), 'search-bench-index-'));
  opening.defer(() => rm(indexDirectory, { recursive: true }));
  const withFile = { ...config, indexDirectory };
  await using service = await start(withFile, createLogger('search', 'error'));
  const seconds = await warmUp(engineOfService(name, service.url), record);
  const until = performance.now() + longestLoadMs(record);
  while (!existsSync(path.join(indexDirectory, 'memory-index'))) {
    if (performance.now() >= until) throw new Error('the service wrote no file of its index');
    await pause(WARM_UP_PAUSE_MS);
  }
  return { config: withFile, seconds };
}

function longestLoadMs({ observations }: GeneratedRecord): number {
  return LEAST_MS + observations * OBSERVATION_MS;
}

function engineOfIndex(name: string, index: ObservationIndex): Engine {
  const limits = { companies: HITS, observationsPerCompany: 3, timeoutMs: undefined };
  return {
    name: `${name}: index`,
    ask: (words, within) => index.rank({ plan: planOf(words), filters: searchFilters(within), ...limits }),
  };
}

function engineOfService(name: string, url: string): Engine {
  const search = createRpcClient(SearchService, { url, callerToken: 'operations', timeoutMs: 60_000 });
  const limits = { candidateLimit: HITS, maxCompanies: HITS };
  return {
    name: `${name}: search.Search`,
    ask: (words, within) => search.search({ plan: planOf(words), filters: searchFilters(within), ...limits }),
  };
}

/** Searches words in observations and in company profiles. */
function planOf(words: readonly string[]): Plan {
  const terms = words.map((word) => ({ words: [word], weight: 1, text: word }));
  const kind = { version: 1, planner: 'bench', retrieval: Retrieval.LEXICAL };
  return create(PlanSchema, { ...kind, activity: terms, description: terms });
}

/** Repeats a query until the engine has loaded its index, and returns the seconds until then. */
async function warmUp(engine: Engine, record: GeneratedRecord): Promise<number> {
  const [words = []] = record.queries(1);
  const begun = performance.now();
  for (const until = begun + longestLoadMs(record); ; await pause(WARM_UP_PAUSE_MS))
    try {
      await engine.ask(words, { name: 'no filter' });
      return (performance.now() - begun) / 1000;
    } catch (error) {
      if (performance.now() >= until) throw error;
    }
}
