import type { Queryable } from '@ces/chassis/postgres/pool';
import { FEED_COLUMNS, type FeedColumns, feedStateOf, type StoredFeedState } from '../../feed/feed.ts';
import { DIMENSIONS } from '../indices/mapping.ts';

export const FEED = 'opensearch_feed';

export interface FeedRow extends StoredFeedState {
  readonly fence: bigint;
  /**
   * The searched generation has events from this instant on, in microseconds; undefined for all.
   */
  readonly keptFrom: bigint | undefined;
  readonly rebuildKeptFrom: bigint | undefined;
}

interface Columns extends FeedColumns {
  readonly fence: bigint;
  readonly kept: bigint | null;
  readonly rebuild_kept: bigint | null;
}

export async function readFeedRow(db: Queryable): Promise<FeedRow> {
  const text = `select ${FEED_COLUMNS}, fence, ${microsOf('kept_from')} as kept,
                       ${microsOf('rebuild_kept_from')} as rebuild_kept from ${FEED}`;
  const { rows } = await db.query<Columns>({ name: 'read-opensearch-feed', text });
  const [row] = rows;
  if (!row) throw new Error(`the table ${FEED} has lost its row`);
  return {
    ...feedStateOf(row),
    fence: row.fence,
    keptFrom: row.kept ?? undefined,
    rebuildKeptFrom: row.rebuild_kept ?? undefined,
  };
}

export interface GenerationChange {
  readonly row: FeedRow;
  readonly to: number;
  readonly fence: bigint;
}

export interface NewVectors {
  readonly ids: readonly bigint[];
  readonly to: bigint;
  readonly newest: bigint;
}

const VECTORS = 500;

/** Returns a page of observations whose vectors were written after those in the index. */
export async function readNewVectors(db: Queryable, model: string): Promise<NewVectors | undefined> {
  const { rows: versions } = await db.query<{ indexed: bigint; newest: bigint }>({
    name: 'read-vector-versions',
    text: `select case when vector_model = $1 then vector_version else 0 end as indexed, version as newest
             from ${FEED} cross join vector_feed`,
    values: [model],
  });
  const [{ indexed, newest } = { indexed: 0n, newest: 0n }] = versions;
  if (indexed >= newest) return undefined;
  const { rows } = await db.query<{ observation_id: bigint; version: bigint }>(
    `select observation_id, version from observation_vector
      where version > $1 and version <= $2 and model = $3 and octet_length(vector) = ${DIMENSIONS}
      order by version fetch first ${VECTORS} rows with ties`,
    [indexed, newest, model],
  );
  const to = rows.length < VECTORS ? newest : (rows.at(-1)?.version ?? newest);
  return { ids: rows.map(({ observation_id: id }) => id), to, newest };
}

/** Returns false if another process leads. */
export async function advanceVectors(db: Queryable, model: string, to: bigint, fence: bigint): Promise<boolean> {
  const { rowCount } = await db.query(`update ${FEED} set vector_version = $1, vector_model = $2 where fence <= $3`, [
    to,
    model,
    fence,
  ]);
  return rowCount === 1;
}

/** Restarts the feed in a new generation, searched at once. False if another reader moved it. */
export async function resetFeed(db: Queryable, { row, to, fence }: GenerationChange): Promise<boolean> {
  const { rowCount } = await db.query(
    `update ${FEED} set tx = null, seq = null, epoch = null, complete = false, generation = $2, fence = $3, analysis_version = null,
            rebuilding = false, rebuild_tx = null, rebuild_seq = null, rebuild_epoch = null,
            rebuild_analysis_version = null, rebuild_kept_from = null,
            (vector_version, vector_model) = (select version, model from vector_feed)
      where generation = $1 and fence <= $3 and (tx, seq) is not distinct from ($4::bigint, $5::bigint)`,
    [row.generation, to, fence, row.live?.tx ?? null, row.live?.seq ?? null],
  );
  return rowCount === 1;
}

/** Returns false if another reader moved the feed or leads. */
export async function resetRebuild(db: Queryable, { row, to, fence }: GenerationChange): Promise<boolean> {
  const { rowCount } = await db.query(
    `update ${FEED} set generation = $2, fence = $3, rebuild_tx = null, rebuild_seq = null, rebuild_epoch = null
      where generation = $1 and fence <= $3 and rebuilding
        and (rebuild_tx, rebuild_seq) is not distinct from ($4::bigint, $5::bigint)`,
    [row.generation, to, fence, row.rebuild?.tx ?? null, row.rebuild?.seq ?? null],
  );
  return rowCount === 1;
}

export async function skipGenerations(db: Queryable, newest: number): Promise<void> {
  await db.query(`update ${FEED} set generation = greatest(generation, $1)`, [newest]);
}

/** A day such as `2026-11-01`; null keeps all. */
export async function setRebuildKeptFrom(db: Queryable, keptFrom: string | null): Promise<void> {
  await db.query(`update ${FEED} set rebuild_kept_from = $1`, [keptFrom]);
}

export async function applyRebuildKeptFrom(db: Queryable): Promise<void> {
  await db.query(`update ${FEED} set kept_from = rebuild_kept_from, rebuild_kept_from = null`);
}

/** The day never moves back: only a rebuild restores discarded documents. */
export async function advanceKeptFrom(db: Queryable, first: string): Promise<void> {
  await db.query(`update ${FEED} set kept_from = $1 where kept_from is null or kept_from < $1`, [first]);
}

function microsOf(column: string): string {
  return `(extract(epoch from ${column}) * 1000000)::bigint`;
}
