import type { Queryable } from '@ces/chassis/postgres/pool';
import { FEED_COLUMNS, type FeedColumns, feedStateOf, type StoredFeedState } from '../../feed/feed.ts';

/** Where this engine's feed is kept. */
export const FEED = 'opensearch_feed';
/** Where the stamp is kept that stands with it. */
export const STAMP = 'opensearch_stamp';

/** What was left when something became visible: a number, and the alias and the term of the primary that took it, as one (`stamp.ts`). */
export interface Stamp {
  readonly number: bigint;
  readonly term: bigint;
}

/** How far the index has come by the row in Postgres, and what it keeps. */
export interface FeedRow extends StoredFeedState {
  /** Of the lead that has moved it last. */
  readonly fence: bigint;
  /** The stamp that stands with the position; its number is 0 where none does. */
  readonly stamp: Stamp;
  /** From when on events are in the generation that is searched, in microseconds since 1970; undefined: all are. */
  readonly keptFrom: bigint | undefined;
  /** The same of the generation that a rebuild makes. */
  readonly rebuildKeptFrom: bigint | undefined;
}

interface Columns extends FeedColumns {
  readonly fence: bigint;
  readonly number: bigint;
  readonly term: bigint;
  readonly kept: bigint | null;
  readonly rebuild_kept: bigint | null;
}

/** All of one moment: the stamp is that of the position. */
export async function readFeedRow(db: Queryable): Promise<FeedRow> {
  const text = `select ${FEED_COLUMNS}, fence, number, term, ${microsOf('kept_from')} as kept,
                       ${microsOf('rebuild_kept_from')} as rebuild_kept from ${FEED} cross join ${STAMP}`;
  const { rows } = await db.query<Columns>({ name: 'read-opensearch-feed', text });
  const [row] = rows;
  if (!row) throw new Error(`the table ${FEED} has lost its row`);
  return {
    ...feedStateOf(row),
    fence: row.fence,
    stamp: { number: row.number, term: row.term },
    keptFrom: row.kept ?? undefined,
    rebuildKeptFrom: row.rebuild_kept ?? undefined,
  };
}

/** The row as it was read, and the generation that follows. */
export interface Succession {
  readonly row: FeedRow;
  readonly to: number;
  readonly fence: bigint;
}

/** Everything is read anew into another generation, which is searched at once; false where another reader has moved the feed, or leads. */
export async function emptyFeed(db: Queryable, { row, to, fence }: Succession): Promise<boolean> {
  const { rowCount } = await db.query(
    `update ${FEED} set tx = null, seq = null, epoch = null, complete = false, generation = $2, fence = $3, analysis_version = null,
            rebuilding = false, rebuild_tx = null, rebuild_seq = null, rebuild_epoch = null,
            rebuild_analysis_version = null, rebuild_kept_from = null
      where generation = $1 and fence <= $3 and (tx, seq) is not distinct from ($4::bigint, $5::bigint)`,
    [row.generation, to, fence, row.live?.tx ?? null, row.live?.seq ?? null],
  );
  return rowCount === 1;
}

/** A rebuild begins once more, in another generation; false where another reader has moved the feed, or leads. */
export async function emptyRebuild(db: Queryable, { row, to, fence }: Succession): Promise<boolean> {
  const { rowCount } = await db.query(
    `update ${FEED} set generation = $2, fence = $3, rebuild_tx = null, rebuild_seq = null, rebuild_epoch = null
      where generation = $1 and fence <= $3 and rebuilding
        and (rebuild_tx, rebuild_seq) is not distinct from ($4::bigint, $5::bigint)`,
    [row.generation, to, fence, row.rebuild?.tx ?? null, row.rebuild?.seq ?? null],
  );
  return rowCount === 1;
}

/** The generation that is begun next gets a number above `newest`, which an index bears already. */
export async function skipGenerations(db: Queryable, newest: number): Promise<void> {
  await db.query(`update ${FEED} set generation = greatest(generation, $1)`, [newest]);
}

/** What a rebuild that has just begun keeps: events from a day on, as `2026-11-01`; null: all. */
export async function keepInRebuild(db: Queryable, keptFrom: string | null): Promise<void> {
  await db.query(`update ${FEED} set rebuild_kept_from = $1`, [keptFrom]);
}

/** What the rebuild kept that has just ended is what is searched. */
export async function keepAsRebuilt(db: Queryable): Promise<void> {
  await db.query(`update ${FEED} set kept_from = rebuild_kept_from, rebuild_kept_from = null`);
}

/** Never back: what was discarded comes again only by a rebuild. */
export async function advanceKeptFrom(db: Queryable, first: string): Promise<void> {
  await db.query(`update ${FEED} set kept_from = $1 where kept_from is null or kept_from < $1`, [first]);
}

function microsOf(column: string): string {
  return `(extract(epoch from ${column}) * 1000000)::bigint`;
}
