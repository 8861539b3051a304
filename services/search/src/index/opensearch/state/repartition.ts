import { inTransaction } from '@ces/chassis/postgres/pool';
import { CORPORA, writeAlias } from '../indices/names.ts';
import { type IndexState, readIndexState } from './index-state.ts';
import { splitFeed } from './partitions.ts';
import { beginAnew, type IndexPlaces, repairIndex } from './repair.ts';

/**
 * Recreates lost indices and splits the list into partitions from the feed's position. Throws
 * FeedMoved under a higher fence token.
 */
export async function repartitionIndex(places: IndexPlaces, partitions: number, fence: bigint): Promise<void> {
  const found = await repairIndex(places, await readIndexState(places.pool, places), fence);
  const isFirst = found.row.live === undefined && !found.row.rebuilding;
  const { row } = isFirst ? await emptiedIndex(places, found, fence) : found;
  await inTransaction(places.pool, (db) => splitFeed(db, row, partitions, fence));
}

/** Empties an unused index: it may contain documents of a database that was reset since. */
export async function emptiedIndex(places: IndexPlaces, found: IndexState, fence: bigint): Promise<IndexState> {
  const index = CORPORA.map((corpus) => writeAlias(places.prefix, corpus, found.row.generation));
  const { body } = await places.client.count({ index });
  return body.count === 0 ? found : await beginAnew(places, found, 'index', fence);
}
