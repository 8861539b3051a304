import { create } from '@bufbuild/protobuf';
import type { Queryable } from '@ces/chassis/postgres/pool';
import { type ChangePosition, ChangePositionSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { ANALYSIS_VERSION } from '../../text/analyse.ts';
import type { FeedRange, FeedState } from '../observation-index.ts';

/** Each engine has its own feed row, so that two engines can index one record. */
export type FeedTable = 'feed' | 'opensearch_feed';

export interface StoredFeedState extends FeedState {
  readonly generation: number;
}

export interface FeedColumns {
  readonly tx: bigint | null;
  readonly seq: bigint | null;
  readonly epoch: string | null;
  readonly complete: boolean;
  readonly generation: number;
  readonly rebuilding: boolean;
  readonly rebuild_tx: bigint | null;
  readonly rebuild_seq: bigint | null;
  readonly rebuild_epoch: string | null;
  readonly analysis_version: number | null;
}

export const FEED_COLUMNS =
  'tx, seq, epoch, complete, generation, rebuilding, rebuild_tx, rebuild_seq, rebuild_epoch, analysis_version';

export class FeedMoved extends Error {
  override readonly name = 'FeedMoved';
}

export async function readFeed(db: Queryable, table: FeedTable): Promise<StoredFeedState> {
  const text = `select ${FEED_COLUMNS} from ${table}`;
  const { rows } = await db.query<FeedColumns>({ name: `read-${table}`, text });
  const [row] = rows;
  if (!row) throw new Error(`the table ${table} has lost its row`);
  return feedStateOf(row);
}

export function feedStateOf(row: FeedColumns): StoredFeedState {
  return {
    live: positionOf(row.tx, row.seq, row.epoch),
    complete: row.complete,
    generation: row.generation,
    rebuilding: row.rebuilding,
    rebuild: positionOf(row.rebuild_tx, row.rebuild_seq, row.rebuild_epoch),
    outdated: row.tx !== null && (row.analysis_version ?? 0) < ANALYSIS_VERSION,
  };
}

/** Locks the row and returns its generation. Throws FeedMoved if another reader moved it. */
export async function advanceFeed(db: Queryable, table: FeedTable, range: FeedRange, fence: bigint): Promise<number> {
  const { to, from, complete } = range;
  const position = [to.tx, to.seq, from?.tx ?? null, from?.seq ?? null, fence, to.epoch || null];
  const { rows } =
    range.feed === 'live'
      ? await db.query<{ generation: number }>(
          `update ${table} set tx = $1, seq = $2, fence = $5, epoch = $6, complete = $7,
                  analysis_version = case when tx is null then $8::integer else analysis_version end
            where fence <= $5 and (tx, seq) is not distinct from ($3::bigint, $4::bigint)
           returning generation`,
          [...position, complete, ANALYSIS_VERSION],
        )
      : await db.query<{ generation: number }>(
          `update ${table} set rebuild_tx = $1, rebuild_seq = $2, fence = $5, rebuild_epoch = $6
            where fence <= $5 and rebuilding and (rebuild_tx, rebuild_seq) is not distinct from ($3::bigint, $4::bigint)
           returning generation`,
          position,
        );
  const [row] = rows;
  if (!row) throw new FeedMoved('the feed was moved by another projector');
  return row.generation;
}

/** Starts a new generation. Returns false during a rebuild. */
export async function beginRebuild(db: Queryable, table: FeedTable): Promise<boolean> {
  const { rowCount } = await db.query(
    `update ${table} set rebuilding = true, generation = generation + 1, rebuild_tx = null, rebuild_seq = null,
       rebuild_epoch = null, rebuild_analysis_version = $1
      where not rebuilding`,
    [ANALYSIS_VERSION],
  );
  return rowCount === 1;
}

/** Moves the live reader to a new history. Returns false if another reader moved it first. */
export async function restartFeed(
  db: Queryable,
  table: FeedTable,
  from: ChangePosition | undefined,
  to: ChangePosition,
  fence: bigint,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update ${table} set tx = $1, seq = $2, epoch = $3, complete = false, fence = $7, rebuilding = true,
       generation = generation + 1, rebuild_tx = null, rebuild_seq = null, rebuild_epoch = null, rebuild_analysis_version = $8
      where fence <= $7 and (tx, seq, epoch) is not distinct from ($4::bigint, $5::bigint, $6::text)`,
    [to.tx, to.seq, to.epoch, from?.tx ?? null, from?.seq ?? null, from?.epoch || null, fence, ANALYSIS_VERSION],
  );
  return rowCount === 1;
}

/**
 * Returns undefined without a rebuild or under a higher fence token. A live reader past the
 * rebuild's end moves back to it. Delete older generations in this transaction: the row is locked.
 */
export async function endRebuild(db: Queryable, table: FeedTable, fence: bigint): Promise<number | undefined> {
  const { rows } = await db.query<{ generation: number }>(
    `update ${table}
        set rebuilding = false,
            analysis_version = rebuild_analysis_version,
            rebuild_analysis_version = null,
            fence = $1,
            tx = case when (tx, seq) <= (rebuild_tx, rebuild_seq) then tx else rebuild_tx end,
            seq = case when (tx, seq) <= (rebuild_tx, rebuild_seq) then seq else rebuild_seq end,
            epoch = case when (tx, seq) <= (rebuild_tx, rebuild_seq) then epoch else rebuild_epoch end
      where rebuilding and fence <= $1 returning generation`,
    [fence],
  );
  return rows[0]?.generation;
}

function positionOf(tx: bigint | null, seq: bigint | null, epoch: string | null): ChangePosition | undefined {
  return tx === null || seq === null ? undefined : create(ChangePositionSchema, { tx, seq, epoch: epoch ?? '' });
}
