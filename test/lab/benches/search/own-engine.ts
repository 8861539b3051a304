import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { create } from '@bufbuild/protobuf';
import { createPool } from '@ces/chassis/postgres/pool';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { systemClock } from '@ces/chassis/service/clock';
import { readSettings } from '@ces/chassis/service/settings';
import { createLogger } from '@ces/chassis/telemetry/log';
import { type Plan, PlanSchema, Retrieval } from '@ces/proto/ces/search/v1/search_pb.ts';
import { SearchService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { settings } from '@ces/search/config';
import type { ObservationIndex } from '@ces/search/index/observation-index';
import { createPostgresIndex } from '@ces/search/index/postgres/postgres-index';
import { start } from '@ces/search/start';
import { RECORD_TOKEN, startRecordServer } from '@ces/search/test-support/record-server';
import { loadVocabulary } from '@ces/search/vocabulary/load-vocabulary';
import { openKeptDatabase, openOwnDatabase } from '../../support/index-database.ts';
import { type Arrivals, startArrivals } from './arrivals.ts';
import { type Engine, HITS } from './engine.ts';
import { filterClasses, searchFilters } from './filter-classes.ts';
import type { GeneratedRecord } from './generated-record.ts';
import { type GoingOn, measureGoingOn } from './going-on.ts';
import { positionAt } from './positions.ts';
import { processorClock } from './processor-clock.ts';

const BATCH = 2000;
const CANDIDATES = 200;
/** Longer than a copy of the greatest size that it has by default is read. */
const WARM_UP_ASKS = 60;
const WARM_UP_PAUSE_MS = 500;

/** The index alone, without and with company context, and the RPC of a whole service on it. */
export interface OwnEngines extends AsyncDisposable {
  readonly raw: Engine;
  /** The same with what profiles say of companies, as the RPC asks it. */
  readonly withContext: Engine;
  readonly rpc: Engine;
  readonly bytes: number;
  /** Observations written in this run, and how long that took. */
  readonly filled: Filled;
  /** Of the server under both. */
  readonly serverPid: number;
  /** Adds to the full index. */
  readonly goOn: () => Promise<GoingOn>;
  /** Lets evidence arrive until it is disposed of. */
  readonly startArrivals: () => Arrivals;
}

interface Filled {
  readonly observations: number;
  readonly seconds: number;
}

/** Fills the index of the search service and starts one on it, with the settings it has by default but for the memory of a copy where it is given; what `onFilled` throws breaks off. */
export async function fillOwn(
  record: GeneratedRecord,
  directory: string | undefined,
  onFilled: (share: number) => void,
  copyMemory: string | undefined,
): Promise<OwnEngines> {
  await using opening = new AsyncDisposableStack();
  const database = opening.use(await (directory ? openKeptDatabase(directory) : openOwnDatabase()));
  const logger = createLogger('search', 'error');
  const server = opening.use(await startRecordServer());
  const config = readSettings(settings, {
    CES_SEARCH_PORT: '0',
    CES_SEARCH_DATABASE_URL: database.url,
    CES_RPC_CALLER_TOKENS: 'operations=operations',
    CES_RPC_TOKEN: RECORD_TOKEN,
    CES_LOOKUP_URL: server.url,
    CES_NATS_PREFIX: `bench_${randomBytes(4).toString('hex')}`,
    ...(copyMemory !== undefined && { CES_SEARCH_COPY_MEMORY: copyMemory }),
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
  const { placeCodes } = loadVocabulary();
  const index = createPostgresIndex({ ...config, pool, clock: systemClock, placeCodes });
  const forget = async (above: number) => {
    for (const table of ['entry', 'indexed'])
      await pool.query(`delete from ${table} where observation_id > $1`, [above]);
  };
  const filled = await fill(index, record, onFilled);
  const service = opening.use(await start(config, logger));
  const search = createRpcClient(SearchService, { url: service.url, callerToken: 'operations', timeoutMs: 60_000 });
  const bytes = Number((await index.size()).bytes);
  const raw: Engine = {
    name: 'index alone',
    ask: (words, within) => askIndex(index, planOf(words), searchFilters(within)),
    ...KEPT,
  };
  const withContext: Engine = {
    name: 'index with context',
    ask: (words, within) => askIndex(index, planOf(words, true), searchFilters(within)),
    ...KEPT,
  };
  const rpc: Engine = {
    name: 'search.Search',
    async ask(words, within) {
      const plan = planOf(words, true);
      const filters = searchFilters(within);
      await search.search({ plan, filters, candidateLimit: CANDIDATES, maxCompanies: CANDIDATES });
      return () => [];
    },
    ...KEPT,
  };
  if (config.copyMemory > 0) await warmUp([raw, withContext, rpc], record);
  const stack = opening.move();
  return {
    bytes,
    filled,
    serverPid: database.serverPid,
    goOn: () => measureGoingOn(index, record, processorClock(database.serverPid), forget),
    startArrivals: () => startArrivals(index, record, forget),
    raw,
    withContext,
    rpc,
    [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
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

/** Goes on where an earlier run broke off. */
async function fill(
  index: ObservationIndex,
  record: GeneratedRecord,
  onFilled: (share: number) => void,
): Promise<Filled> {
  const list = <T>(from: number, total: number, make: (at: number) => T) =>
    Array.from({ length: Math.max(0, Math.min(BATCH, total - from)) }, (_, offset) => make(from + offset));
  const begun = performance.now();
  let from = (await index.feedState()).live;
  const first = from ? Number(from.tx) - 1 + BATCH : 0;
  for (let at = first; at < record.observations; at += BATCH) {
    const to = positionAt(at + 1);
    await index.apply(
      {
        observations: list(at, record.observations, record.observation),
        companies: list(at, record.companies, record.company),
        range: { feed: 'live', from, to, complete: at + BATCH >= record.observations },
      },
      1n,
    );
    from = to;
    onFilled(Math.min(1, (at + BATCH) / record.observations));
  }
  const seconds = (performance.now() - begun) / 1000;
  await index.refreshStatistics();
  return { observations: Math.max(0, record.observations - first), seconds };
}
