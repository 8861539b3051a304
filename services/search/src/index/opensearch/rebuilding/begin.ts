import { inTransaction, type Queryable } from '@ces/chassis/postgres/pool';
import type { ChangePosition } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { beginRebuild, restartFeed } from '../../feed/feed.ts';
import { readGenerations } from '../indices/generations.ts';
import { FEED, keepInRebuild, skipGenerations } from '../state/feed-row.ts';
import type { IndexPlaces } from '../state/repair.ts';

/** Begins a rebuild, whose indices the next batch makes; false when one runs already. */
export async function beginRebuilding(places: IndexPlaces): Promise<boolean> {
  return await inGeneration(places, (db) => beginRebuild(db, FEED));
}

/**
 * The live feed goes on at `to`, a position of a new history, and everything before it is rebuilt; a rebuild under way begins once
 * more. False where another reader has moved the feed from `from`, or leads now.
 */
export async function restartIndex(
  places: IndexPlaces,
  from: ChangePosition | undefined,
  to: ChangePosition,
  fence: bigint,
): Promise<boolean> {
  return await inGeneration(places, (db) => restartFeed(db, FEED, from, to, fence));
}

/** Begins a generation whose number no index bears, though Postgres may be older than OpenSearch; nothing where `begin` says false. */
async function inGeneration(places: IndexPlaces, begin: (db: Queryable) => Promise<boolean>): Promise<boolean> {
  const { newest } = await readGenerations(places);
  return await inTransaction(places.pool, async (db) => {
    if (!(await begin(db))) return false;
    await skipGenerations(db, newest + 1);
    await keepInRebuild(db, places.keptFrom());
    return true;
  });
}
