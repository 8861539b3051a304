import type { Pool } from '@ces/chassis/postgres/pool';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { LiteralHit, LiteralQuery, Ranking, RankingQuery } from '../../observation-index.ts';
import type { Partitioning } from '../partitions/partitions.ts';
import { type IndexVersion, readIndexVersion } from './loading/index-version.ts';
import { bytesOf } from './loading/replace-documents.ts';
import { type MemoryIndex, viewOf } from './memory-index.ts';
import { createMemoryIndexLoader } from './memory-index-loader.ts';
import { rankInMemory } from './rank-in-memory.ts';
import { findLiterally } from './ranking/find-literally.ts';
import { searchedPartitions } from './searched-partitions.ts';

interface MemorySearchState {
  readonly isLoaded: boolean;
  readonly bytes: number;
  /** It counts observations of months that do not fit. */
  readonly leftOut: number;
}

/** Answers searches from the memory index of this process. */
export interface MemorySearch {
  rank(query: RankingQuery, partitioning: Partitioning): Promise<Ranking>;
  findLiterally(query: LiteralQuery, partitioning: Partitioning): Promise<LiteralHit[]>;
  state(): MemorySearchState;
  /** Loads the index and follows its changes until `signal` is aborted. Never rejects. */
  keepUp(signal: AbortSignal): Promise<void>;
}

export interface MemorySearchOptions {
  readonly pool: Pool;
  readonly mostBytes: number;
  readonly logger: Logger | undefined;
}

/**
 * A search waits this long for the index to load or catch up, in milliseconds, and at most this
 * share of its time.
 */
const LONGEST_WAIT_MS = 30_000;
const WAITING_SHARE = 0.5;

/** A search sees everything that was written before it began, or fails as unavailable. */
export function createMemorySearch({ pool, mostBytes, logger }: MemorySearchOptions): MemorySearch {
  const loader = createMemoryIndexLoader({
    pool,
    mostBytes,
    onFailure: (error) => logger?.warn({ err: error }, 'the memory index cannot follow the database'),
  });
  const search = async <T>(
    timeoutMs: number | undefined,
    answer: (index: MemoryIndex, version: IndexVersion) => T,
  ): Promise<T> => {
    const version = await readIndexVersion(pool);
    const waitMs = Math.min(LONGEST_WAIT_MS, (timeoutMs ?? Number.POSITIVE_INFINITY) * WAITING_SHARE);
    const index = await loader.findAtLeast(version, waitMs);
    if (!index)
      throw fail(FailureCode.SERVICE_UNAVAILABLE, 'The search index is still loading. Try again with the same key.');
    return answer(index, version);
  };
  return {
    rank: (query, partitioning) =>
      search(query.timeoutMs, (index, version) => rankInMemory(index, query, partitioning, version)),
    findLiterally: (query, partitioning) =>
      search(query.timeoutMs, (index, { now }) =>
        findLiterally(viewOf(index, searchedPartitions(query.filters, partitioning)), query, partitioning, now),
      ),
    state: () => ({
      isLoaded: loader.current !== undefined,
      bytes: loader.current ? bytesOf(loader.current) : 0,
      leftOut: loader.current?.leftOut ?? 0,
    }),
    keepUp: loader.keepUp,
  };
}
