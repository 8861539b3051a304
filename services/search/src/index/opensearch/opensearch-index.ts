import type { Pool } from '@ces/chassis/postgres/pool';
import { isTransient } from '@ces/chassis/rpc/error';
import type { Clock } from '@ces/chassis/service/clock';
import type { FeedPart, FeedState, ObservationIndex } from '../observation-index.ts';
import { atMostEvery, cachedFor, once } from '../repetition.ts';
import { applyBatch } from './applying/apply-batch.ts';
import { createCertainty } from './applying/certainty.ts';
import { createEngineMeter } from './client/engine-meter.ts';
import { type Indices, readGenerations, verifyLayout } from './indices/generations.ts';
import { createJoinedRefresh } from './indices/joined-refresh.ts';
import type { Spread } from './indices/mapping.ts';
import { readSize } from './indices/read-size.ts';
import { refreshIndices } from './indices/refresh.ts';
import { firstDayKept } from './keeping/kept-months.ts';
import { maintainIndex } from './keeping/maintain.ts';
import { createReader } from './reading/reader.ts';
import { beginRebuilding, restartIndex } from './rebuilding/begin.ts';
import { finishRebuilding } from './rebuilding/finish.ts';
import { readFeedRow } from './state/feed-row.ts';
import { feedStateOf, type IndexState, lossOf, readIndexState, stampOf } from './state/index-state.ts';
import { createKnownState } from './state/known-state.ts';
import { countParts, readPart } from './state/parts.ts';
import { shareIndex } from './state/share.ts';

export interface OpenSearchIndexOptions extends Indices, Spread {
  /** Small: how far the feed is, and what is kept. */
  readonly pool: Pool;
  readonly clock: Clock;
  /** Codes of states and provinces with their names. */
  readonly placeCodes: ReadonlyMap<string, string>;
  /** Longest search, in milliseconds. */
  readonly timeoutMs: number;
  /** Months of events that stay indexed; all when it is 0 or left out. */
  readonly keptMonths?: number;
}

const MAINTAINED_EVERY_MS = 600_000;
/** How long it may go unseen that the engine has lost its indices. */
const GENERATIONS_FOR_MS = 1_000;
/** How long it may go unseen what another process keeps: much shorter than until that is discarded. */
const KEPT_FOR_MS = 5_000;
/** Share of the observations that must have been applied before what is known of words is asked anew. */
const DUE_SHARE = 0.25;

/**
 * The index on OpenSearch: two indices a generation behind aliases, and in Postgres how far the feed is. Everything rejects with a
 * ConfigurationError while the indices are of another release.
 */
export function createOpenSearchIndex(options: OpenSearchIndexOptions): ObservationIndex {
  const { pool, clock, keptMonths = 0 } = options;
  const meter = createEngineMeter();
  const places = { ...options, meter, keptFrom: () => firstDayKept(clock.now(), keptMonths) };
  const verified = once(() => verify(options));
  const certainty = createCertainty();
  const joinedRefresh = createJoinedRefresh((index) => refreshIndices(places, index));
  const state = createKnownState(pool, clock, createIndexState(options));
  const kept = cachedFor(clock, KEPT_FOR_MS, () => readFeedRow(pool));
  const reader = createReader({
    ...options,
    meter,
    reached: async () => {
      const recalled = await state.recall();
      return { position: feedStateOf(recalled).live, stamp: stampOf(recalled) };
    },
    keptFrom: async () => {
      const { keptFrom } = await kept.get();
      return keptFrom === undefined ? undefined : Number(keptFrom);
    },
  });
  let applied = Number.POSITIVE_INFINITY;
  const forgetAll = () => {
    kept.forget();
    reader.forgetStatistics();
  };
  return {
    apply: async (batch, fence) => {
      await verified();
      await applyBatch({ ...places, joinedRefresh, certainty }, batch, fence);
      applied += batch.observations.length;
    },
    rank: async (query) => {
      await verified();
      return await reader.rank(query);
    },
    findLiterally: async (query) => {
      await verified();
      return await reader.findLiterally(query);
    },
    lexemesOf: reader.lexemesOf,
    feedState: async () => {
      await verified();
      return feedStateOf(await state.ask());
    },
    partState: async (part) => {
      await verified();
      return await partStateOf(pool, await state.ask(), part);
    },
    share: async (parts, fence) => {
      await verified();
      await shareIndex(places, parts, fence);
    },
    beginRebuild: async () => {
      await verified();
      return await beginRebuilding(places);
    },
    restart: async (from, to, fence) => {
      await verified();
      return await restartIndex(places, from, to, fence);
    },
    finishRebuild: async (fence) => {
      const isFinished = await finishRebuilding(places, fence);
      if (isFinished) forgetAll();
      return isFinished;
    },
    refreshStatistics: async () => {
      const { observations } = applied > 0 ? await readSize(options) : { observations: 0n };
      if (applied === 0 || applied < Number(observations) * DUE_SHARE) return;
      applied = 0;
      reader.forgetStatistics();
    },
    maintain: atMostEvery(clock, MAINTAINED_EVERY_MS, async () => {
      await verified();
      await maintainIndex(places);
      forgetAll();
    }),
    size: () => readSize(options),
  };
}

/**
 * For the start of a process: throws ConfigurationError where the indices that are there are of another release. An engine that is
 * away is asked again before anything is read or written.
 */
export async function verifyAtStart(indices: Indices): Promise<void> {
  await verify(indices).catch((error: unknown) => {
    if (!isTransient(error)) throw error;
  });
}

async function verify(indices: Indices): Promise<void> {
  const { complete } = await readGenerations(indices);
  await verifyLayout(indices, complete);
}

/** Asks the engine once in a while whether it still has everything, and once more before it says that it has not. */
function createIndexState(options: OpenSearchIndexOptions): () => Promise<IndexState> {
  const { pool, clock } = options;
  const generations = cachedFor(clock, GENERATIONS_FOR_MS, () => readGenerations(options));
  return async () => {
    const state = { row: await readFeedRow(pool), generations: await generations.get() };
    if (!lossOf(state)) return state;
    generations.forget();
    return await readIndexState(pool, options);
  };
}

/** Of several parts none counts while something is missing: sharing the list makes it. */
async function partStateOf(pool: Pool, state: IndexState, part: FeedPart): Promise<FeedState | undefined> {
  const { generation } = state.row;
  if (part.of === 1) return (await countParts(pool, generation)) === 1 ? feedStateOf(state) : undefined;
  const position = lossOf(state) ? undefined : await readPart(pool, part, generation);
  return position && { ...feedStateOf(state), ...position };
}
