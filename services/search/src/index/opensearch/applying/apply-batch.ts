import { inTransaction, type Queryable } from '@ces/chassis/postgres/pool';
import type { ObservationDocument } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { readVectors } from '../../../embedding/vector-table.ts';
import { advanceFeed, FeedMoved } from '../../feed/feed.ts';
import type { FeedRange, IndexBatch } from '../../observation-index.ts';
import { CORPORA, type Corpus, writeAlias } from '../indices/names.ts';
import { refreshIndices } from '../indices/refresh.ts';
import { advanceVectors, FEED, type FeedRow, readNewVectors } from '../state/feed-row.ts';
import { type IndexState, lossOf, readIndexState } from '../state/index-state.ts';
import { type IndexContext, repairIndex, startEmptyGeneration } from '../state/repair.ts';
import { writeDocuments } from './bulk-writer.ts';
import {
  type IndexedDocument,
  type IndexedObservation,
  indexedCompany,
  indexedObservation,
  tombstoneOf,
  withVector,
} from './documents.ts';

type Searched = { readonly range: Pick<FeedRange, 'feed'> };
const LIVE = { feed: 'live' } as const;

export interface ApplyOptions extends IndexContext {
  readonly placeCodes: ReadonlyMap<string, string>;
  /** Vectors of this model are indexed. */
  readonly model?: string | undefined;
}

/**
 * Refreshes before moving the feed, so that the position is never ahead of searches. Throws
 * FeedMoved if another reader moved the feed or must reread lost data.
 */
export async function applyBatch(options: ApplyOptions, batch: IndexBatch, fence: bigint): Promise<void> {
  const { pool, client, meter, prefix, placeCodes } = options;
  const { range } = batch;
  const state = await writableState(options, range, fence);
  const companies = batch.companies.map((document) => indexedCompany(document, placeCodes));
  const targets = targetsOf(state, range);
  for (const generation of targets)
    await writeDocuments({ client, meter, alias: writeAlias(prefix, 'company', generation) }, companies);
  await writeObservations(options, state, batch.observations, targets);
  await refreshSearched(options, state, batch);
  await inTransaction(pool, (db) => advance(db, range, fence, state.row.generation));
}

/**
 * Rewrites a page of observations that got a vector after they were indexed. Returns true if more
 * wait, and false under a higher fence token.
 */
export async function applyVectors(
  options: ApplyOptions,
  documentsOf: (ids: readonly bigint[]) => Promise<readonly ObservationDocument[]>,
  fence: bigint,
): Promise<boolean> {
  const { pool, model } = options;
  if (model === undefined) return false;
  const page = await readNewVectors(pool, model);
  if (!page) return false;
  /* Read after the vectors: a rebuild that begins later reads them itself. */
  const state = await readIndexState(pool, options);
  const { withVectors } = state.generations;
  if (state.row.fence > fence || state.row.live === undefined || lossOf(state)) return false;
  const targets = targetsOf(state, LIVE).filter((generation) => withVectors.has(generation));
  if (targets.length > 0 && page.ids.length > 0) {
    const observations = await documentsOf(page.ids);
    await writeObservations(options, state, observations, targets, true);
    await refreshSearched(options, state, { observations, companies: [], range: LIVE });
  }
  const to = targets.length > 0 ? page.to : page.newest;
  return (await advanceVectors(pool, model, to, fence)) && to < page.newest;
}

/** Documents were read before their vectors: a later vector comes to this version or a higher. */
async function writeObservations(
  { client, meter, prefix, pool, placeCodes, model }: ApplyOptions,
  state: IndexState,
  documents: readonly ObservationDocument[],
  generations: readonly number[],
  replacesSame = false,
): Promise<void> {
  const { withVectors } = state.generations;
  const present = documents.flatMap(({ id, tombstone }) => (tombstone ? [] : [id]));
  const readsVectors = model !== undefined && generations.some((generation) => withVectors.has(generation));
  const vectors = readsVectors ? await readVectors(pool, present, model) : new Map<bigint, Int8Array>();
  const observations = documents.map((document) => indexedObservation(document, placeCodes));
  for (const generation of generations) {
    const keptFrom = keptFromOf(state, generation);
    await writeDocuments(
      { client, meter, alias: writeAlias(prefix, 'observation', generation), replacesSame },
      observations.map((observation) => {
        const vector = withVectors.has(generation) ? vectors.get(observation.id) : undefined;
        const kept = asKept(observation, keptFrom);
        return kept === observation && model !== undefined && vector ? withVector(kept, model, vector) : kept;
      }),
    );
  }
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
  { range, observations, companies }: Pick<IndexBatch, 'observations' | 'companies'> & Searched,
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

function targetsOf({ row, generations: { complete } }: IndexState, { feed }: Pick<FeedRange, 'feed'>): number[] {
  return feed === 'live' && row.rebuilding ? [...complete].toSorted((a, b) => a - b) : [row.generation];
}

/** If the end of a rebuild was interrupted, nodes may still search the previous generation. */
function searchedOf(state: IndexState, range: Pick<FeedRange, 'feed'>): number[] {
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
