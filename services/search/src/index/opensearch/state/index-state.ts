import type { Queryable } from '@ces/chassis/postgres/pool';
import type { FeedState } from '../../observation-index.ts';
import { type Generations, type Indices, readGenerations } from '../indices/generations.ts';
import { type FeedRow, readFeedRow } from './feed-row.ts';

export interface IndexState {
  readonly row: FeedRow;
  readonly generations: Generations;
}

/** OpenSearch may lack either index, or be another cluster. */
export type Loss = 'index' | 'rebuild';

/** Reads the row first: an index is complete before the row names it. */
export async function readIndexState(db: Queryable, indices: Indices): Promise<IndexState> {
  const row = await readFeedRow(db);
  return { row, generations: await readGenerations(indices) };
}

export function lossOf({ row, generations: { served, complete } }: IndexState): Loss | undefined {
  const isWritable = complete.has(row.generation);
  if (!row.rebuilding) return served === row.generation && isWritable ? undefined : 'index';
  if (served === undefined) return 'index';
  return isWritable ? undefined : 'rebuild';
}

/** Reports only what OpenSearch really has: a missing index counts as not applied. */
export function feedStateOf(state: IndexState): FeedState {
  const { live, complete, rebuilding, rebuild, outdated } = state.row;
  const loss = lossOf(state);
  if (loss === 'index')
    return { live: undefined, complete: false, rebuilding: false, rebuild: undefined, outdated: false };
  return { live, complete, rebuilding, rebuild: loss === 'rebuild' ? undefined : rebuild, outdated };
}
