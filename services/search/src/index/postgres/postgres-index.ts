import { inTransaction, type Pool } from '@ces/chassis/postgres/pool';
import type { Clock } from '@ces/chassis/service/clock';
import type { Logger } from '@ces/chassis/telemetry/log';
import { beginRebuild, readFeed, restartFeed } from '../feed/feed.ts';
import type { ObservationIndex } from '../observation-index.ts';
import { atMostEvery, cachedFor, once } from '../repetition.ts';
import { createBatchWriter } from './applying/batch-writer.ts';
import { finishRebuild } from './applying/finish-rebuild.ts';
import { findLiterally } from './find-literally.ts';
import { createMemoryRanker } from './memory-index/memory-ranker.ts';
import { readPartitionBoundary } from './partitions/partitions.ts';
import { createPendingLists } from './partitions/pending-lists.ts';
import { maintainPartitions, resetKeptFrom } from './partitions/retention.ts';
import { rank, type SearchSettings } from './rank.ts';
import { readIndexStatistics, readLexemes, readSize } from './statistics/read-statistics.ts';
import { createStatisticsKeeper } from './statistics/statistics-keeper.ts';

export interface PostgresIndexOptions extends SearchSettings {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly placeCodes: ReadonlyMap<string, string>;
  /** Events of this many months stay indexed; 0 or absent keeps all. */
  readonly keptMonths?: number;
  /** It limits the memory index in this process, in MiB; 0 or absent disables it. */
  readonly memoryIndexMib?: number;
  readonly logger?: Logger;
}

/**
 * The interval is longer than any search: a run discards what the previous run declared too old.
 */
const MAINTAINED_EVERY_MS = 600_000;
const MIB = 1_048_576;
/** A count of words by another process is visible within this time. */
const STATISTICS_FOR_MS = 5_000;

/**
 * Implements the index on stock Postgres: monthly partitions, GIN, BM25 from `ts_rank` (decision
 * 0020).
 */
export function createPostgresIndex(options: PostgresIndexOptions): ObservationIndex {
  const { pool, clock, keptMonths = 0, memoryIndexMib = 0 } = options;
  const boundaryOf = once(() => readPartitionBoundary(pool));
  const statistics = cachedFor(clock, STATISTICS_FOR_MS, () => readIndexStatistics(pool));
  const partitioning = async () => ({ boundary: await boundaryOf(), now: clock.now() });
  const searchContext = async () => ({
    ...options,
    ...(await partitioning()),
    statistics: await statistics.get(),
  });
  const rankInMemory =
    memoryIndexMib > 0
      ? createMemoryRanker({ pool, mostBytes: memoryIndexMib * MIB, logger: options.logger })
      : undefined;
  const keeper = createStatisticsKeeper(pool);
  const pendingLists = createPendingLists(pool);
  const writer = createBatchWriter({ ...options, pendingLists });
  return {
    apply: async (batch, fence) => {
      await writer.write(batch, fence, await partitioning());
      keeper.noteApplied(batch.observations.length);
    },
    rank: async (query) => {
      const context = await searchContext();
      return (await rankInMemory?.(query, context)) ?? (await rank(pool, query, context));
    },
    findLiterally: async (query) => findLiterally(pool, query, await searchContext()),
    lexemesOf: (words) => readLexemes(pool, words),
    feedState: () => readFeed(pool, 'feed'),
    beginRebuild: async () => {
      const context = { ...(await partitioning()), keptMonths };
      return await inTransaction(pool, async (client) => {
        const begun = await beginRebuild(client, 'feed');
        if (begun) await resetKeptFrom(client, context);
        return begun;
      });
    },
    restart: async (from, to, fence) => {
      const context = { ...(await partitioning()), keptMonths };
      return await inTransaction(pool, async (client) => {
        const restarted = await restartFeed(client, 'feed', from, to, fence);
        if (restarted) await resetKeptFrom(client, context);
        return restarted;
      });
    },
    finishRebuild: (fence) => inTransaction(pool, (client) => finishRebuild(client, fence)),
    refreshStatistics: async () => {
      await pendingLists.flushIfDue();
      if (await keeper.renewIfDue(pendingLists.isFilling())) statistics.forget();
    },
    maintain: atMostEvery(clock, MAINTAINED_EVERY_MS, async () => {
      await maintainPartitions(pool, { ...(await partitioning()), keptMonths });
      writer.forgetPartitions();
      statistics.forget();
    }),
    size: () => readSize(pool),
  };
}
