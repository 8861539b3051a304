import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { create } from '@bufbuild/protobuf';
import { createPool } from '@ces/chassis/postgres/pool';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { readSettings } from '@ces/chassis/service/settings';
import { createLogger } from '@ces/chassis/telemetry/log';
import { type Plan, PlanSchema, Retrieval } from '@ces/proto/ces/search/v1/search_pb.ts';
import { SearchService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { settings } from '@ces/search/config';
import type { ObservationIndex } from '@ces/search/index/observation-index';
import { start } from '@ces/search/start';
import { RECORD_TOKEN, startRecordServer } from '@ces/search/test-support/record-server';
import { loadVocabulary } from '@ces/search/vocabulary/load-vocabulary';
import type { ServedDatabase } from '../../support/index-database.ts';
import { type ConfiguredEngine, ENGINES, openIndex } from '../../support/search-engine.ts';
import { type Arrivals, startArrivals } from './arrivals.ts';
import { fillInBulk } from './bulk-fill.ts';
import { refuseHalfFilled } from './bulk-mark.ts';
import { type Engine, HITS } from './engine.ts';
import { type Filled, fill } from './fill.ts';
import { filterClasses, searchFilters } from './filter-classes.ts';
import type { GeneratedRecord } from './generated-record.ts';
import { type GoingOn, measureGoingOn } from './going-on.ts';
import { type ProcessorClock, processorClock } from './processor-clock.ts';

const CANDIDATES = 200;
/** Longer than a copy of the greatest size that it has by default is read. */
const WARM_UP_ASKS = 60;
const WARM_UP_PAUSE_MS = 500;

/** The index alone, without and with company context, and the RPC of a whole service on it. */
export interface OwnEngines extends AsyncDisposable {
  /** Of what the index is made with, for people. */
  readonly name: string;
  readonly raw: Engine;
  /** The same with what profiles say of companies, as the RPC asks it. */
  readonly withContext: Engine;
  readonly rpc: Engine;
  readonly bytes: number;
  /** Observations written in this run, and how long that took. */
  readonly filled: Filled;
  /** Process of the server that holds the index; undefined where it is on another machine. */
  readonly serverPid: number | undefined;
  /** Of this process and of all servers. */
  readonly clock: ProcessorClock;
  /** Adds to the full index. */
  readonly goOn: () => Promise<GoingOn>;
  /** Lets evidence arrive until it is disposed of. */
  readonly startArrivals: () => Arrivals;
}

/** Fills the index of the search service, unless it is filled, and starts one on it, with the settings that its engine asks for and else the defaults; what `onFilled` throws breaks off. */
export async function fillOwn(
  record: GeneratedRecord,
  database: ServedDatabase,
  configured: ConfiguredEngine,
  onFilled: (share: number, phase?: string) => void,
  isBulk = false,
): Promise<OwnEngines> {
  await using opening = new AsyncDisposableStack();
  const logger = createLogger('search', 'error');
  const server = opening.use(await startRecordServer());
  const config = readSettings(settings, {
    CES_SEARCH_PORT: '0',
    CES_SEARCH_DATABASE_URL: database.url,
    CES_RPC_CALLER_TOKENS: 'operations=operations',
    CES_RPC_TOKEN: RECORD_TOKEN,
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
  if (!openSearch) await refuseHalfFilled(pool);
  if (isBulk && !openSearch) {
    const seconds = await fillInBulk({ index, pool, ownerUrl: database.ownerUrl }, record, onFilled);
    for (const [phase, took] of seconds) process.stderr.write(`filled in bulk: ${phase} ${took.toFixed(1)} s\n`);
  }
  const filled = await fill(index, record, onFilled);
  const service = opening.use(await start(config, logger));
  const clock = processorClock(database.serverPid, openSearch?.pid);
  const name = ENGINES[configured.name];
  const engines = enginesOf(name, index, service.url);
  if (config.copyMemory > 0) await warmUp(Object.values(engines), record);
  const stack = opening.move();
  return {
    ...engines,
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

function enginesOf(
  name: string,
  index: ObservationIndex,
  url: string,
): Pick<OwnEngines, 'raw' | 'withContext' | 'rpc'> {
  const search = createRpcClient(SearchService, { url, callerToken: 'operations', timeoutMs: 60_000 });
  return {
    raw: {
      name: `${name}: index alone`,
      ask: (words, within) => askIndex(index, planOf(words), searchFilters(within)),
      ...KEPT,
    },
    withContext: {
      name: `${name}: index with context`,
      ask: (words, within) => askIndex(index, planOf(words, true), searchFilters(within)),
      ...KEPT,
    },
    rpc: {
      name: `${name}: search.Search`,
      async ask(words, within) {
        const plan = planOf(words, true);
        const filters = searchFilters(within);
        await search.search({ plan, filters, candidateLimit: CANDIDATES, maxCompanies: CANDIDATES });
        return () => [];
      },
      ...KEPT,
    },
  };
}

/** A process reads its copy when it is first searched, and is asked again and again meanwhile. */
async function warmUp(engines: readonly Engine[], record: GeneratedRecord): Promise<void> {
  const [within] = filterClasses(new Date());
  const [words] = record.queries(1);
  for (let asked = 0; within && words && asked < WARM_UP_ASKS; asked += 1, await pause(WARM_UP_PAUSE_MS))
    for (const engine of engines) await engine.ask(words, within);
}

/** Goes with what all stand on. */
const KEPT = { [Symbol.asyncDispose]: async () => undefined };

async function askIndex(index: ObservationIndex, plan: Plan, filters: ReturnType<typeof searchFilters>) {
  const { hits } = await index.rank({
    plan,
    filters,
    companies: HITS,
    observationsPerCompany: 3,
    explain: false,
    timeoutMs: undefined,
  });
  return () => hits.toSorted((a, b) => b.score - a.score).map((hit) => Number(hit.observationId));
}

/** Words in the texts of observations, and where asked in the profiles of companies too. */
function planOf(words: readonly string[], withProfiles = false): Plan {
  const terms = words.map((word) => ({ words: [word], weight: 1, text: word }));
  return create(PlanSchema, {
    version: 1,
    planner: 'bench',
    retrieval: Retrieval.LEXICAL,
    activity: terms,
    description: withProfiles ? terms : [],
  });
}
