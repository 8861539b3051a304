import { inTransaction, type Pool } from '@ces/chassis/postgres/pool';
import { FeedMoved } from '../../feed/feed.ts';
import type { EngineMeter } from '../client/engine-meter.ts';
import { createGeneration, type Generations, type Indices, serveGeneration } from '../indices/generations.ts';
import type { Spread } from '../indices/mapping.ts';
import { emptyFeed, emptyRebuild, type Succession } from './feed-row.ts';
import { type IndexState, type Loss, lossOf, readIndexState } from './index-state.ts';
import { leaveStampInside } from './stamp.ts';

export interface IndexPlaces extends Indices, Spread {
  readonly pool: Pool;
  readonly meter: EngineMeter;
  /** Events from this day on are kept, as `2026-11-01`; null for all. */
  readonly keptFrom: () => string | null;
}

/**
 * Recreates lost indices empty, under an unused generation number, and resets the feed. Returns the
 * new state. Throws FeedMoved under a higher fence token.
 */
export async function repairIndex(places: IndexPlaces, state: IndexState, fence: bigint): Promise<IndexState> {
  const loss = lossOf(state);
  return loss ? await beginAnew(places, state, loss, fence) : state;
}

/** Restarts the whole index or only the rebuild, whether or not anything is lost. */
export async function beginAnew(
  places: IndexPlaces,
  { row, generations }: IndexState,
  loss: Loss,
  fence: bigint,
): Promise<IndexState> {
  if (row.fence > fence) throw new FeedMoved('another projector leads');
  const isBegun = (loss === 'index' ? row.live : row.rebuild) !== undefined;
  const to = Math.max(isBegun ? row.generation + 1 : row.generation, generations.newest + 1);
  const succession = { row, to, fence };
  if (loss === 'index') await replaceIndex(places, generations, succession);
  else await replaceRebuild(places, succession);
  return await readIndexState(places.pool, places);
}

async function replaceIndex(places: IndexPlaces, found: Generations, succession: Succession): Promise<void> {
  await createGeneration(places, succession.to, places);
  await inTransaction(places.pool, async (db) => {
    if (!(await emptyFeed(db, succession))) throw new FeedMoved('the feed was moved by another projector');
    await serveGeneration(places, found, succession.to);
    if (found.stamps.length > 0) await leaveStampInside(places, db);
  });
}

async function replaceRebuild(places: IndexPlaces, succession: Succession): Promise<void> {
  await createGeneration(places, succession.to, { ...places, replicas: 0 });
  if (!(await emptyRebuild(places.pool, succession))) throw new FeedMoved('the feed was moved by another projector');
}
