import type { Pool } from '@ces/chassis/postgres/pool';
import type { Logger } from '@ces/chassis/telemetry/log';
import { metrics } from '@opentelemetry/api';
import type { Ranking, RankingQuery } from '../../observation-index.ts';
import type { SearchContext } from '../rank.ts';
import { createWordStatistics } from '../statistics/cached-words.ts';
import { createMemoryIndexLoader } from './memory-index-loader.ts';
import { rankInMemory } from './rank-in-memory.ts';
import { createPhrasePatterns } from './ranking/phrase-patterns.ts';

export interface MemoryRankerOptions {
  readonly pool: Pool;
  readonly mostBytes: number;
  readonly logger: Logger | undefined;
}

/** Returns undefined if the database must rank, for whatever reason. */
export type MemoryRanker = (query: RankingQuery, context: SearchContext) => Promise<Ranking | undefined>;

/**
 * The memory index and its statements may take PATIENCE_MS, and at most this part of the caller's
 * timeout.
 */
const PATIENCE_MS = 1_000;
const PATIENCE_SHARE = 4;
/** It is reused because creating an error costs as much as a tenth of a ranking. */
const LATE = new Error('no caller waits for this ranking any more');

/**
 * Counts outcomes. A failure never fails a search, and only the first of consecutive failures is
 * logged.
 */
export function createMemoryRanker({ pool, mostBytes, logger }: MemoryRankerOptions): MemoryRanker {
  const rankings = metrics.getMeter('ces').createCounter('ces.search.rankings', {
    unit: '{ranking}',
    description: 'Rankings asked of the memory index, by outcome.',
  });
  let isFailing = false;
  const onFailure = (error: unknown) => {
    if (!isFailing) logger?.warn({ err: error }, 'the memory index cannot be used; the database ranks meanwhile');
    isFailing = true;
  };
  const sources = {
    loader: createMemoryIndexLoader({ pool, mostBytes, onFailure }),
    words: createWordStatistics(pool),
    phrases: createPhrasePatterns(pool),
  };
  return async (query, context) => {
    const outcome = await within(query, (late) => rankInMemory(pool, sources, query, context, late)).catch(
      (error: unknown) => {
        onFailure(error);
        return 'failed' as const;
      },
    );
    rankings.add(1, { outcome: typeof outcome === 'string' ? outcome : 'ranked' });
    if (typeof outcome === 'string') return undefined;
    isFailing = false;
    return outcome;
  };
}

async function within<T>({ timeoutMs }: RankingQuery, ask: (late: AbortSignal) => Promise<T>): Promise<T | 'late'> {
  const ended = new AbortController();
  const patience = Math.min(PATIENCE_MS, (timeoutMs ?? Number.POSITIVE_INFINITY) / PATIENCE_SHARE);
  const { promise: late, resolve } = Promise.withResolvers<'late'>();
  const timer = setTimeout(resolve, patience, 'late').unref();
  return await Promise.race([ask(ended.signal), late]).finally(() => {
    clearTimeout(timer);
    ended.abort(LATE);
  });
}
