import { inTransaction, type Pool } from '@ces/chassis/postgres/pool';
import { FeedMoved } from '../../feed/feed.ts';
import type { EngineMeter } from '../client/engine-meter.ts';
import { createGeneration, type Generations, type Indices, serveGeneration } from '../indices/generations.ts';
import type { ShardCounts } from '../indices/mapping.ts';
import { type GenerationChange, resetFeed, resetRebuild } from './feed-row.ts';
import { type IndexState, type Loss, lossOf, readIndexState } from './index-state.ts';

export interface IndexContext extends Indices, ShardCounts {
  readonly pool: Pool;
  readonly meter: EngineMeter;
  readonly keptFrom: () => string | null;
}

/** Recreates lost indices empty under an unused number. Throws FeedMoved if superseded. */
export async function repairIndex(context: IndexContext, state: IndexState, fence: bigint): Promise<IndexState> {
  const loss = lossOf(state);
  return loss ? await startEmptyGeneration(context, state, loss, fence) : state;
}

export async function startEmptyGeneration(
  context: IndexContext,
  { row, generations }: IndexState,
  loss: Loss,
  fence: bigint,
): Promise<IndexState> {
  if (row.fence > fence) throw new FeedMoved('another projector leads');
  const isBegun = (loss === 'index' ? row.live : row.rebuild) !== undefined;
  const to = Math.max(isBegun ? row.generation + 1 : row.generation, generations.newest + 1);
  const change = { row, to, fence };
  if (loss === 'index') await replaceIndex(context, generations, change);
  else await replaceRebuild(context, change);
  return await readIndexState(context.pool, context);
}

async function replaceIndex(context: IndexContext, found: Generations, change: GenerationChange): Promise<void> {
  await createGeneration(context, change.to, context);
  await inTransaction(context.pool, async (db) => {
    if (!(await resetFeed(db, change))) throw new FeedMoved('the feed was moved by another projector');
    await serveGeneration(context, found, change.to);
  });
}

async function replaceRebuild(context: IndexContext, change: GenerationChange): Promise<void> {
  await createGeneration(context, change.to, { ...context, replicas: 0 });
  if (!(await resetRebuild(context.pool, change))) throw new FeedMoved('the feed was moved by another projector');
}
