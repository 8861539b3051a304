import type { Queryable } from '@ces/chassis/postgres/pool';
import type { FeedState } from '../../observation-index.ts';
import { type Generations, type Indices, readGenerations } from '../indices/generations.ts';
import { type FeedRow, readFeedRow, type Stamp } from './feed-row.ts';

/** What the row of the feed says, and what the engine has. */
export interface IndexState {
  readonly row: FeedRow;
  readonly generations: Generations;
}

/**
 * What the row promises and the engine does not have: all that is searched, or what a rebuild is making. It never had it, lost
 * it, or is another one.
 */
export type Loss = 'index' | 'rebuild';

/** The row first: an index that is served was finished before its row says so. */
export async function readIndexState(db: Queryable, indices: Indices): Promise<IndexState> {
  const row = await readFeedRow(db);
  return { row, generations: await readGenerations(indices) };
}

/** What is missing; undefined where all is there. */
export function lossOf({ row, generations: { served, complete } }: IndexState): Loss | undefined {
  const isWritable = complete.has(row.generation);
  if (!row.rebuilding) return served === row.generation && isWritable ? undefined : 'index';
  if (served === undefined) return 'index';
  return isWritable ? undefined : 'rebuild';
}

/** What a node must have that is searched; undefined where nobody left a stamp yet, or its index is gone, by what the one that leads says. */
export function stampOf({ row, generations }: IndexState): Stamp | undefined {
  return row.stamp.number > 0n && generations.stamps.length > 0 ? row.stamp : undefined;
}

/** How far the index has come, by what the engine really has: nothing that is missing counts as applied. */
export function feedStateOf(state: IndexState): FeedState {
  const { live, complete, rebuilding, rebuild, outdated } = state.row;
  const loss = lossOf(state);
  if (loss === 'index')
    return { live: undefined, complete: false, rebuilding: false, rebuild: undefined, outdated: false };
  return { live, complete, rebuilding, rebuild: loss === 'rebuild' ? undefined : rebuild, outdated };
}
