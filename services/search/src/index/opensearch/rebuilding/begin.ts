import { inTransaction, type Queryable } from '@ces/chassis/postgres/pool';
import type { ChangePosition } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { beginRebuild, restartFeed } from '../../feed/feed.ts';
import { readGenerations } from '../indices/generations.ts';
import { FEED, setRebuildKeptFrom, skipGenerations } from '../state/feed-row.ts';
import type { IndexContext } from '../state/repair.ts';

/** The next batch creates the indices. Returns false during a rebuild. */
export async function beginRebuilding(context: IndexContext): Promise<boolean> {
  return await inGeneration(context, (db) => beginRebuild(db, FEED));
}

/** Implements `ObservationIndex.restart`; a rebuild in progress restarts. */
export async function restartIndex(
  context: IndexContext,
  from: ChangePosition | undefined,
  to: ChangePosition,
  fence: bigint,
): Promise<boolean> {
  return await inGeneration(context, (db) => restartFeed(db, FEED, from, to, fence));
}

/** Uses a generation number that no index has, even if Postgres was restored to an older state. */
async function inGeneration(context: IndexContext, begin: (db: Queryable) => Promise<boolean>): Promise<boolean> {
  const { newest } = await readGenerations(context);
  return await inTransaction(context.pool, async (db) => {
    if (!(await begin(db))) return false;
    await skipGenerations(db, newest + 1);
    await setRebuildKeptFrom(db, context.keptFrom());
    return true;
  });
}
