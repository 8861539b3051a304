import type { Pool } from '@ces/chassis/postgres/pool';
import { isTransient } from '@ces/chassis/rpc/error';
import type { Clock } from '@ces/chassis/service/clock';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { ObservationIndex } from '../observation-index.ts';
import { atMostEvery, cachedFor, once } from '../repetition.ts';
import { applyBatch, applyVectors } from './applying/apply-batch.ts';
import { createEngineMeter } from './client/engine-meter.ts';
import { type Indices, readGenerations, verifyLayout } from './indices/generations.ts';
import type { ShardCounts } from './indices/mapping.ts';
import { readSize } from './indices/read-size.ts';
import { firstDayKept } from './maintenance/discard-older-events.ts';
import { maintainIndex } from './maintenance/maintain.ts';
import { createReader } from './reading/reader.ts';
import { beginRebuilding, restartIndex } from './rebuilding/begin.ts';
import { finishRebuilding } from './rebuilding/finish.ts';
import { createCachedIndexState } from './state/cached-index-state.ts';
import { readFeedRow } from './state/feed-row.ts';
import { feedStateOf, type IndexState, lossOf, readIndexState } from './state/index-state.ts';

export interface OpenSearchIndexOptions extends Indices, ShardCounts {
  /** It stores only the feed, the retention and vectors, so it can be small. */
  readonly pool: Pool;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly placeCodes: ReadonlyMap<string, string>;
  /** Vectors of this model are indexed. */
  readonly model?: string | undefined;
  readonly timeoutMs: number;
  /** Months of events that stay indexed; 0 or absent keeps all. */
  readonly keptMonths?: number;
}

const MAINTAINED_EVERY_MS = 600_000;
/** A loss of indices is detected within this time. */
const GENERATIONS_FOR_MS = 1_000;
/** Word statistics are refreshed after this share of the observations was applied. */
const DUE_SHARE = 0.25;

/** Rejects with ConfigurationError while the indices belong to another release. */
export function createOpenSearchIndex(options: OpenSearchIndexOptions): ObservationIndex {
  const { pool, clock, keptMonths = 0 } = options;
  const meter = createEngineMeter();
  const context = { ...options, meter, keptFrom: () => firstDayKept(clock.now(), keptMonths) };
  const verified = once(() => verify(options));
  const state = createCachedIndexState(pool, clock, createIndexState(options));
  const reader = createReader({
    ...options,
    meter,
    served: async () => {
      const { row, generations } = await state.readCached();
      const { served, withVectors } = generations;
      const { live: position } = feedStateOf({ row, generations });
      return {
        position,
        hasVectors: served !== undefined && withVectors.has(served),
        keptFrom: row.keptFrom === undefined ? undefined : Number(row.keptFrom),
      };
    },
  });
  let applied = Number.POSITIVE_INFINITY;
  return {
    apply: async (batch, fence) => {
      await verified();
      await applyBatch(context, batch, fence);
      applied += batch.observations.length;
    },
    applyVectors: async (documentsOf, fence) => await applyVectors(context, documentsOf, fence),
    rank: async (query) => {
      await verified();
      return await reader.rank(query);
    },
    findLiterally: async (query) => {
      await verified();
      return await reader.findLiterally(query);
    },
    feedState: async () => {
      await verified();
      return feedStateOf(await state.readFresh());
    },
    beginRebuild: async () => {
      await verified();
      return await beginRebuilding(context);
    },
    restart: async (from, to, fence) => {
      await verified();
      return await restartIndex(context, from, to, fence);
    },
    finishRebuild: async (fence) => {
      const isFinished = await finishRebuilding(context, fence);
      if (isFinished) reader.forgetStatistics();
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
      await maintainIndex(context);
      reader.forgetStatistics();
    }),
    size: () => readSize(options),
  };
}

/** Throws ConfigurationError for indices of another release. Unreachable: checked on first use. */
export async function verifyAtStart(indices: Indices): Promise<void> {
  await verify(indices).catch((error: unknown) => {
    if (!isTransient(error)) throw error;
  });
}

async function verify(indices: Indices): Promise<void> {
  const { complete } = await readGenerations(indices);
  await verifyLayout(indices, complete);
}

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
