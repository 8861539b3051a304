import type { Pool } from '@ces/chassis/postgres/pool';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type { Ranking, RankingQuery } from '../../../ranking/ranking.ts';
import type { LiteralHit, LiteralQuery, MemoryUse } from '../../observation-index.ts';
import { bytesOf } from './loading/replace-documents.ts';
import { type MemoryIndex, viewOf } from './memory-index.ts';
import { createMemoryIndexLoader } from './memory-index-loader.ts';
import { dayOfPartition } from './partition-number.ts';
import { rankInMemory } from './rank-in-memory.ts';
import { findLiterally } from './ranking/find-literally.ts';
import { createIndexFile } from './saved/index-file.ts';
import type { SearchMoment } from './search-moment.ts';
import { searchedPartitions } from './searched-partitions.ts';

export interface MemorySearchState extends MemoryUse {
  readonly isLoaded: boolean;
}

export interface MemorySearch {
  rank(query: RankingQuery, moment: SearchMoment): Promise<Ranking>;
  findLiterally(query: LiteralQuery, moment: SearchMoment): Promise<LiteralHit[]>;
  state(): MemorySearchState;
}

/** Runs in the thread that it is created in, and blocks it while it ranks. */
export interface MemorySearchInThread extends MemorySearch {
  keepUp(signal: AbortSignal): Promise<void>;
}

export interface MemorySearchOptions {
  readonly pool: Pool;
  readonly mostBytes: number;
  readonly model: string | undefined;
  /** The index is also kept in a file of this folder; absent: in none. */
  readonly directory?: string | undefined;
  readonly onFailure: (error: unknown) => void;
  /** Called if the file is of no use, or was not written. */
  readonly onFileFailure?: (error: unknown) => void;
}

/** How long a search waits for the index, and which share of its time at most. */
const LONGEST_WAIT_MS = 30_000;
const WAITING_SHARE = 0.5;

export function createMemorySearch(options: MemorySearchOptions): MemorySearchInThread {
  const { directory, onFileFailure = options.onFailure } = options;
  const file =
    directory === undefined ? undefined : createIndexFile({ ...options, directory, onFailure: onFileFailure });
  const loader = createMemoryIndexLoader({ ...options, file });
  const indexAt = async ({ version }: SearchMoment, timeoutMs = Number.POSITIVE_INFINITY): Promise<MemoryIndex> => {
    const index = await loader.findAtLeast(version, Math.min(LONGEST_WAIT_MS, timeoutMs * WAITING_SHARE));
    if (!index) throw indexUnavailable();
    return index;
  };
  return {
    rank: async (query, moment) => rankInMemory(await indexAt(moment, query.timeoutMs), query, moment),
    findLiterally: async (query, moment) => {
      const index = await indexAt(moment, query.timeoutMs);
      const view = viewOf(index, searchedPartitions(query.filters, moment.partitioning));
      return findLiterally(view, query, moment);
    },
    state: () => stateOf(loader.current, options.mostBytes),
    keepUp: loader.keepUp,
  };
}

function stateOf(index: MemoryIndex | undefined, mostBytes: number): MemorySearchState {
  const from = index && index.leftOut > 0 ? dayOfPartition(index.from) : '';
  return {
    isLoaded: index !== undefined,
    bytes: index ? bytesOf(index) : 0,
    mostBytes,
    leftOut: index?.leftOut ?? 0,
    searchedFrom: from,
  };
}

export function indexUnavailable(): Error {
  return fail(FailureCode.SERVICE_UNAVAILABLE, 'The search index is still loading. Try again with the same key.');
}
