import { inTransaction, type Queryable } from '@ces/chassis/postgres/pool';
import { advanceFeed, FeedMoved } from '../../feed/feed.ts';
import type { FeedRange, IndexBatch } from '../../observation-index.ts';
import { type Corpus, writeAlias } from '../indices/names.ts';
import { refreshIndices } from '../indices/refresh.ts';
import type { Refresh } from '../indices/shared-refresh.ts';
import { FEED, type FeedRow } from '../state/feed-row.ts';
import { type IndexState, lossOf, readIndexState } from '../state/index-state.ts';
import { advancePartition, isOfPartition, type PartitionRange, readPartition } from '../state/partitions.ts';
import { type IndexContext, repairIndex } from '../state/repair.ts';
import { withEmptyIndex } from '../state/repartition.ts';
import { writeStamp, writeStampUnderNewAlias } from '../state/stamp.ts';
import { storeStamp } from '../state/stamp-row.ts';
import { writeDocuments } from './bulk-writer.ts';
import {
  type IndexedDocument,
  type IndexedObservation,
  indexedCompany,
  indexedObservation,
  tombstoneOf,
} from './documents.ts';
import type { ReplicationTracker } from './replication-tracker.ts';

export interface ApplyOptions extends IndexContext {
  readonly placeCodes: ReadonlyMap<string, string>;
  readonly replication: ReplicationTracker;
  readonly sharedRefresh: Refresh;
}

/**
 * Writes documents, refreshes, and only then moves the feed's position, so that it is never ahead
 * of searches. Repeating a failed batch is idempotent. Throws FeedMoved if another reader moved the
 * feed, leads now, or must read lost data again. Throws `unavailable` if OpenSearch is unreachable
 * or too busy.
 */
export async function applyBatch(options: ApplyOptions, batch: IndexBatch, fence: bigint): Promise<void> {
  const { pool, client, meter, prefix, placeCodes } = options;
  const { range } = batch;
  const state = isOfPartition(range)
    ? await writablePartition(options, range, fence)
    : await writableState(options, range, fence);
  const observations = batch.observations.map((document) => indexedObservation(document, placeCodes));
  const companies = batch.companies.map((document) => indexedCompany(document, placeCodes));
  /*
   * If not, documents of the same version may be missing in some copies: writing them again
   * waits for all copies.
   */
  const isReplicated = options.replication.consume(range, fence);
  let isEverywhere = true;
  for (const generation of targetsOf(state, range)) {
    const keptFrom = keptFromOf(state, generation);
    const write = async (corpus: Corpus, documents: readonly IndexedDocument[]) => {
      const alias = writeAlias(prefix, corpus, generation);
      const target = { client, meter, alias, replacesSame: !isReplicated };
      isEverywhere = (await writeDocuments(target, documents)) && isEverywhere;
    };
    await write('company', companies);
    const kept = observations.map((observation) => asKept(observation, keptFrom));
    await write('observation', kept);
  }
  const isVisible = await refreshSearched(options, state, batch);
  const stamp = isVisible && isReplicated && isEverywhere ? await writeStamp(options, pool) : undefined;
  /* Nodes that do not yet know which copies were dropped must not be trusted. */
  if (isVisible && !stamp) await writeStampUnderNewAlias(options, pool);
  await inTransaction(pool, async (db) => {
    if (isOfPartition(range)) await advancePartition(db, range, fence, state.row.generation);
    else await advanceSole(db, range, fence, state.row.generation);
    if (stamp) await storeStamp(db, stamp);
  });
  if (isReplicated || observations.length + companies.length > 0) options.replication.confirm(range, fence);
}

async function advanceSole(db: Queryable, range: FeedRange, fence: bigint, written: number): Promise<void> {
  const generation = await advanceFeed(db, FEED, range, fence);
  /*
   * A rebuild that has just begun reads what the live feed wrote before. A restarted feed does not.
   */
  const mayFollow = range.feed === 'live' && range.from !== undefined;
  if (generation !== written && !mayFollow) throw new FeedMoved('another generation has begun');
}

/** Only the searched generation needs a refresh. Returns false if searches see nothing new. */
async function refreshSearched(
  options: ApplyOptions,
  state: IndexState,
  { range, observations, companies }: IndexBatch,
): Promise<boolean> {
  const searched = searchedOf(state, range);
  if (searched.length === 0 || observations.length + companies.length === 0) return false;
  const { prefix } = options;
  const refresh = isOfPartition(range) ? options.sharedRefresh : (index: string[]) => refreshIndices(options, index);
  const aliases = (corpus: Corpus) => searched.map((generation) => writeAlias(prefix, corpus, generation));
  await refresh([
    ...(observations.length > 0 ? aliases('observation') : []),
    ...(companies.length > 0 ? aliases('company') : []),
  ]);
  return true;
}

async function writableState(options: ApplyOptions, range: FeedRange, fence: bigint): Promise<IndexState> {
  const found = await repairIndex(options, await readIndexState(options.pool, options), fence);
  if (found.row.fence > fence || !isAt(found.row, range))
    throw new FeedMoved('the feed was moved by another projector');
  const isFirst = range.feed === 'live' && range.from === undefined && !found.row.rebuilding;
  return isFirst ? await withEmptyIndex(options, found, fence) : found;
}

/**
 * Checks the same for one of several partitions. The holder of partition 0 recreates missing
 * indices when it splits the list.
 */
async function writablePartition(options: ApplyOptions, range: PartitionRange, fence: bigint): Promise<IndexState> {
  const found = await readIndexState(options.pool, options);
  const { rebuilding, generation } = found.row;
  const partition = await readPartition(options.pool, range.partition, generation);
  if (!partition || partition.fence > fence || lossOf(found) || !isAt({ ...partition, rebuilding }, range))
    throw new FeedMoved('the partition was moved by another projector, or is none any more');
  return found;
}

function isAt(row: Pick<FeedRow, 'live' | 'rebuild' | 'rebuilding'>, { feed, from }: FeedRange): boolean {
  if (feed === 'rebuild' && !row.rebuilding) return false;
  const at = feed === 'live' ? row.live : row.rebuild;
  return at?.tx === from?.tx && at?.seq === from?.seq;
}

function targetsOf({ row, generations: { complete } }: IndexState, { feed }: FeedRange): number[] {
  return feed === 'live' && row.rebuilding ? [...complete].toSorted((a, b) => a - b) : [row.generation];
}

/** If the end of a rebuild was interrupted, nodes may still search the previous generation. */
function searchedOf(state: IndexState, range: FeedRange): number[] {
  const { row, generations } = state;
  const { served } = generations;
  if (served === undefined || range.feed === 'rebuild') return [];
  return targetsOf(state, range).filter((generation) => generation === served || served === row.generation);
}

function keptFromOf({ row }: IndexState, generation: number): bigint | undefined {
  return row.rebuilding && generation === row.generation ? row.rebuildKeptFrom : row.keptFrom;
}

function asKept(observation: IndexedObservation, keptFrom: bigint | undefined): IndexedDocument {
  const { id, version, datedAt } = observation;
  const isTooOld = keptFrom !== undefined && datedAt !== undefined && datedAt < keptFrom;
  return isTooOld ? tombstoneOf(id, version) : observation;
}
