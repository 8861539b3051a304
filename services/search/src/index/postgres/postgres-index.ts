import { inTransaction, type Pool } from '@ces/chassis/postgres/pool';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type { Clock } from '@ces/chassis/service/clock';
import { beginRebuild, readFeed, restartFeed } from '../feed/feed.ts';
import type { ObservationIndex } from '../observation-index.ts';
import { atMostEvery, once } from '../repetition.ts';
import { createBatchWriter } from './applying/batch-writer.ts';
import { finishRebuild } from './applying/finish-rebuild.ts';
import { readIndexVersion } from './memory-index/loading/index-version.ts';
import type { MemorySearch } from './memory-index/memory-search.ts';
import { readPartitionBoundary } from './partitions/partitions.ts';
import { maintainPartitions, resetKeptFrom } from './partitions/retention.ts';
import { readSize } from './read-size.ts';

export interface PostgresIndexOptions {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly placeCodes: ReadonlyMap<string, string>;
  /** Events of this many months stay indexed; 0 or absent keeps all. */
  readonly keptMonths?: number;
  /** Without it, the process fills the index and answers no search. */
  readonly memory: MemorySearch | undefined;
}

/** Longer than any search: a run discards what the previous run declared too old. */
const MAINTAINED_EVERY_MS = 600_000;

/** Stock Postgres in monthly partitions; searches run in memory (decisions 0020 and 0021). */
export function createPostgresIndex(options: PostgresIndexOptions): ObservationIndex {
  const { pool, clock, keptMonths = 0, memory } = options;
  const boundaryOf = once(() => readPartitionBoundary(pool));
  const partitioning = async () => ({ boundary: await boundaryOf(), now: clock.now() });
  const moment = async () => {
    const [within, version] = await Promise.all([partitioning(), readIndexVersion(pool)]);
    return { partitioning: within, version };
  };
  const writer = createBatchWriter(options);
  return {
    apply: async (batch, fence) => writer.write(batch, fence, await partitioning()),
    rank: async (query) => searchOf(memory).rank(query, await moment()),
    findLiterally: async (query) => searchOf(memory).findLiterally(query, await moment()),
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
    refreshStatistics: async () => undefined,
    maintain: atMostEvery(clock, MAINTAINED_EVERY_MS, async () => {
      await maintainPartitions(pool, { ...(await partitioning()), keptMonths });
      writer.forgetPartitions();
    }),
    size: async () => ({ ...(await readSize(pool)), ...(memory && { memory: memory.state() }) }),
  };
}

function searchOf(memory: MemorySearch | undefined): MemorySearch {
  if (!memory)
    throw fail(FailureCode.SERVICE_UNAVAILABLE, 'This process has no memory index. Set CES_SEARCH_MEMORY_INDEX_MIB.');
  return memory;
}
