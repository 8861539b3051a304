import { inTransaction, type Queryable } from '@ces/chassis/postgres/pool';
import { advanceFeed, FeedMoved } from '../../feed/feed.ts';
import type { FeedRange, IndexBatch } from '../../observation-index.ts';
import { CORPORA, type Corpus, writeAlias } from '../indices/names.ts';
import { refreshIndices } from '../indices/refresh.ts';
import { FEED, type FeedRow } from '../state/feed-row.ts';
import { type IndexState, readIndexState } from '../state/index-state.ts';
import { type IndexContext, repairIndex, startEmptyGeneration } from '../state/repair.ts';
import { writeDocuments } from './bulk-writer.ts';
import {
  type IndexedDocument,
  type IndexedObservation,
  indexedCompany,
  indexedObservation,
  tombstoneOf,
} from './documents.ts';

export interface ApplyOptions extends IndexContext {
  readonly placeCodes: ReadonlyMap<string, string>;
}

/**
 * Refreshes before moving the feed, so that the position is never ahead of searches. Throws
 * FeedMoved if another reader moved the feed or must reread lost data.
 */
export async function applyBatch(options: ApplyOptions, batch: IndexBatch, fence: bigint): Promise<void> {
  const { pool, client, meter, prefix, placeCodes } = options;
  const { range } = batch;
  const state = await writableState(options, range, fence);
  const observations = batch.observations.map((document) => indexedObservation(document, placeCodes));
  const companies = batch.companies.map((document) => indexedCompany(document, placeCodes));
  for (const generation of targetsOf(state, range)) {
    const keptFrom = keptFromOf(state, generation);
    const write = (corpus: Corpus, documents: readonly IndexedDocument[]) =>
      writeDocuments({ client, meter, alias: writeAlias(prefix, corpus, generation) }, documents);
    await write('company', companies);
    await write(
      'observation',
      observations.map((observation) => asKept(observation, keptFrom)),
    );
  }
  await refreshSearched(options, state, batch);
  await inTransaction(pool, (db) => advance(db, range, fence, state.row.generation));
}

async function advance(db: Queryable, range: FeedRange, fence: bigint, written: number): Promise<void> {
  const generation = await advanceFeed(db, FEED, range, fence);
  /* A rebuild that has just begun reads what the live feed wrote; a restarted feed does not. */
  const mayFollow = range.feed === 'live' && range.from !== undefined;
  if (generation !== written && !mayFollow) throw new FeedMoved('another generation has begun');
}

async function refreshSearched(
  options: ApplyOptions,
  state: IndexState,
  { range, observations, companies }: IndexBatch,
): Promise<void> {
  const searched = searchedOf(state, range);
  if (searched.length === 0 || observations.length + companies.length === 0) return;
  const { prefix } = options;
  const aliases = (corpus: Corpus) => searched.map((generation) => writeAlias(prefix, corpus, generation));
  await refreshIndices(options, [
    ...(observations.length > 0 ? aliases('observation') : []),
    ...(companies.length > 0 ? aliases('company') : []),
  ]);
}

async function writableState(options: ApplyOptions, range: FeedRange, fence: bigint): Promise<IndexState> {
  const found = await repairIndex(options, await readIndexState(options.pool, options), fence);
  if (found.row.fence > fence || !isAt(found.row, range))
    throw new FeedMoved('the feed was moved by another projector');
  const isFirst = range.feed === 'live' && range.from === undefined && !found.row.rebuilding;
  return isFirst ? await withEmptyIndex(options, found, fence) : found;
}

/** Empties an unused index: it may contain documents of a database that was reset since. */
async function withEmptyIndex(context: IndexContext, found: IndexState, fence: bigint): Promise<IndexState> {
  const index = CORPORA.map((corpus) => writeAlias(context.prefix, corpus, found.row.generation));
  const { body } = await context.client.count({ index });
  return body.count === 0 ? found : await startEmptyGeneration(context, found, 'index', fence);
}

function isAt(row: FeedRow, { feed, from }: FeedRange): boolean {
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
