import { inTransaction } from '@ces/chassis/postgres/pool';
import { CORPORA, writeAlias } from '../indices/names.ts';
import { type IndexState, readIndexState } from './index-state.ts';
import { splitFeed } from './partitions.ts';
import { type IndexContext, repairIndex, startEmptyGeneration } from './repair.ts';

/**
 * Recreates lost indices and splits the list into partitions from the feed's position. Throws
 * FeedMoved under a higher fence token.
 */
export async function repartitionIndex(context: IndexContext, partitions: number, fence: bigint): Promise<void> {
  const found = await repairIndex(context, await readIndexState(context.pool, context), fence);
  const isFirst = found.row.live === undefined && !found.row.rebuilding;
  const { row } = isFirst ? await withEmptyIndex(context, found, fence) : found;
  await inTransaction(context.pool, (db) => splitFeed(db, row, partitions, fence));
}

/** Empties an unused index: it may contain documents of a database that was reset since. */
export async function withEmptyIndex(context: IndexContext, found: IndexState, fence: bigint): Promise<IndexState> {
  const index = CORPORA.map((corpus) => writeAlias(context.prefix, corpus, found.row.generation));
  const { body } = await context.client.count({ index });
  return body.count === 0 ? found : await startEmptyGeneration(context, found, 'index', fence);
}
