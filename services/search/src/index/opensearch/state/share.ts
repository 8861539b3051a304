import { inTransaction } from '@ces/chassis/postgres/pool';
import { CORPORA, writeAlias } from '../indices/names.ts';
import { type IndexState, readIndexState } from './index-state.ts';
import { shareAmong } from './parts.ts';
import { beginAnew, type IndexPlaces, repairIndex } from './repair.ts';

/**
 * Makes what the row promises and the engine does not have, and lets so many parts share the list from where the feed is. FeedMoved
 * where a reader of a higher fence leads.
 */
export async function shareIndex(places: IndexPlaces, parts: number, fence: bigint): Promise<void> {
  const found = await repairIndex(places, await readIndexState(places.pool, places), fence);
  const isFirst = found.row.live === undefined && !found.row.rebuilding;
  const { row } = isFirst ? await emptiedIndex(places, found, fence) : found;
  await inTransaction(places.pool, (db) => shareAmong(db, row, parts, fence));
}

/** An index that nothing was applied to, empty: what it holds may be of a database that was emptied since. */
export async function emptiedIndex(places: IndexPlaces, found: IndexState, fence: bigint): Promise<IndexState> {
  const index = CORPORA.map((corpus) => writeAlias(places.prefix, corpus, found.row.generation));
  const { body } = await places.client.count({ index });
  return body.count === 0 ? found : await beginAnew(places, found, 'index', fence);
}
