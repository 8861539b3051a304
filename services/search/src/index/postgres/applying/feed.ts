import { create } from '@bufbuild/protobuf';
import { allowLongStatements } from '@ces/chassis/postgres/long-statements';
import type { Queryable } from '@ces/chassis/postgres/pool';
import { type ChangePosition, ChangePositionSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { ANALYSIS_VERSION } from '../../../text/analyse.ts';
import type { FeedRange, FeedState } from '../../observation-index.ts';

interface FeedRow {
  readonly tx: bigint | null;
  readonly seq: bigint | null;
  readonly complete: boolean;
  readonly rebuilding: boolean;
  readonly rebuild_tx: bigint | null;
  readonly rebuild_seq: bigint | null;
  readonly epoch: string | null;
  readonly rebuild_epoch: string | null;
  readonly analysis_version: number | null;
}

/** How far the index has come. */
export async function readFeed(db: Queryable): Promise<FeedState> {
  const text =
    'select tx, seq, epoch, complete, rebuilding, rebuild_tx, rebuild_seq, rebuild_epoch, analysis_version from feed';
  const { rows } = await db.query<FeedRow>({ name: 'read-feed', text });
  const [row] = rows;
  if (!row) throw new Error('the feed has lost its row');
  return {
    live: positionOf(row.tx, row.seq, row.epoch),
    complete: row.complete,
    rebuilding: row.rebuilding,
    rebuild: positionOf(row.rebuild_tx, row.rebuild_seq, row.rebuild_epoch),
    outdated: row.tx !== null && (row.analysis_version ?? 0) < ANALYSIS_VERSION,
  };
}

/** Moves a reader on and returns the generation that it writes; undefined when another reader was there first or leads now. */
export async function advanceFeed(db: Queryable, range: FeedRange, fence: bigint): Promise<number | undefined> {
  const { to, from, complete } = range;
  const position = [to.tx, to.seq, from?.tx ?? null, from?.seq ?? null, fence, to.epoch || null];
  const { rows } =
    range.feed === 'live'
      ? await db.query<{ generation: number }>(
          `update feed set tx = $1, seq = $2, fence = $5, epoch = $6, complete = $7,
                  analysis_version = case when tx is null then $8::integer else analysis_version end
            where fence <= $5 and (tx, seq) is not distinct from ($3::bigint, $4::bigint)
           returning generation`,
          [...position, complete, ANALYSIS_VERSION],
        )
      : await db.query<{ generation: number }>(
          `update feed set rebuild_tx = $1, rebuild_seq = $2, fence = $5, rebuild_epoch = $6
            where fence <= $5 and rebuilding and (rebuild_tx, rebuild_seq) is not distinct from ($3::bigint, $4::bigint)
           returning generation`,
          position,
        );
  return rows[0]?.generation;
}

/** Begins a new generation; false when a rebuild runs already. */
export async function beginRebuild(db: Queryable): Promise<boolean> {
  const { rowCount } = await db.query(
    `update feed set rebuilding = true, generation = generation + 1, rebuild_tx = null, rebuild_seq = null,
       rebuild_epoch = null, rebuild_analysis_version = $1
      where not rebuilding`,
    [ANALYSIS_VERSION],
  );
  return rowCount === 1;
}

/** Sets the live reader to a position of a new history and begins a generation; false when another reader was there first. */
export async function restartFeed(
  db: Queryable,
  from: ChangePosition | undefined,
  to: ChangePosition,
  fence: bigint,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update feed set tx = $1, seq = $2, epoch = $3, complete = false, fence = $7, rebuilding = true, generation = generation + 1,
       rebuild_tx = null, rebuild_seq = null, rebuild_epoch = null, rebuild_analysis_version = $8
      where fence <= $7 and (tx, seq, epoch) is not distinct from ($4::bigint, $5::bigint, $6::text)`,
    [to.tx, to.seq, to.epoch, from?.tx ?? null, from?.seq ?? null, from?.epoch || null, fence, ANALYSIS_VERSION],
  );
  return rowCount === 1;
}

/**
 * Ends a rebuild, inside a transaction: what it did not meet is no longer in the record, and the live reader is set back to
 * where the rebuild ended if it was further, so that a record that began anew is read again.
 */
export async function finishRebuild(db: Queryable, fence: bigint): Promise<void> {
  const { rows } = await db.query<{ generation: number }>(
    `update feed
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
  const [row] = rows;
  if (!row) return;
  await allowLongStatements(db);
  await db.query(
    `with gone as (delete from indexed where generation < $1 returning observation_id, bucket)
     delete from entry using gone where entry.observation_id = gone.observation_id and entry.bucket = gone.bucket`,
    [row.generation],
  );
  await db.query(
    `with gone as (delete from company_doc where generation < $1 returning company_id)
     delete from company_domain using gone where company_domain.company_id = gone.company_id`,
    [row.generation],
  );
}

function positionOf(tx: bigint | null, seq: bigint | null, epoch: string | null): ChangePosition | undefined {
  return tx === null || seq === null ? undefined : create(ChangePositionSchema, { tx, seq, epoch: epoch ?? '' });
}
