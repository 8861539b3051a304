import type { Queryable } from '@ces/chassis/postgres/pool';
import type { ChangePosition } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { ANALYSIS_VERSION } from '../../../text/analyse.ts';
import { FeedMoved, positionOf } from '../../feed/feed.ts';
import type { FeedPartition, FeedRange } from '../../observation-index.ts';
import { FEED, type FeedRow } from './feed-row.ts';

const PARTITION_TABLE = 'opensearch_partition';

export interface PartitionPosition {
  readonly live: ChangePosition | undefined;
  readonly complete: boolean;
  readonly rebuild: ChangePosition | undefined;
  readonly fence: bigint;
}

interface PartitionRow {
  readonly tx: bigint | null;
  readonly seq: bigint | null;
  readonly epoch: string | null;
  readonly complete: boolean;
  readonly rebuild_tx: bigint | null;
  readonly rebuild_seq: bigint | null;
  readonly rebuild_epoch: string | null;
  readonly fence: bigint;
}

export type PartitionRange = FeedRange & { readonly partition: FeedPartition };

export function isOfPartition(range: FeedRange): range is PartitionRange {
  return range.partition !== undefined && range.partition.of > 1;
}

export async function countPartitions(db: Queryable, generation: number): Promise<number> {
  const text = `select coalesce(max(partitions), 1) as partitions from ${PARTITION_TABLE} where generation = $1`;
  const { rows } = await db.query<{ partitions: number }>({
    name: 'count-opensearch-partitions',
    text,
    values: [generation],
  });
  return rows[0]?.partitions ?? 1;
}

/** Returns undefined if the generation has another number of partitions. */
export async function readPartition(
  db: Queryable,
  { partition, of }: FeedPartition,
  generation: number,
): Promise<PartitionPosition | undefined> {
  const text = `select tx, seq, epoch, complete, rebuild_tx, rebuild_seq, rebuild_epoch, fence
                  from ${PARTITION_TABLE} where partitions = $1 and partition = $2 and generation = $3`;
  const { rows } = await db.query<PartitionRow>({
    name: 'read-opensearch-partition',
    text,
    values: [of, partition, generation],
  });
  return rows.map((row) => ({
    live: positionOf(row.tx, row.seq, row.epoch),
    complete: row.complete,
    rebuild: positionOf(row.rebuild_tx, row.rebuild_seq, row.rebuild_epoch),
    fence: row.fence,
  }))[0];
}

/**
 * Splits the list from the feed's position, in the caller's transaction. Throws FeedMoved under a
 * higher fence token.
 */
export async function splitFeed(
  db: Queryable,
  { generation }: FeedRow,
  partitions: number,
  fence: bigint,
): Promise<void> {
  const { rowCount } = await db.query(`update ${FEED} set fence = $1 where fence <= $1 and generation = $2`, [
    fence,
    generation,
  ]);
  if (rowCount !== 1) throw new FeedMoved('another projector leads');
  await invalidatePartitions(db);
  if (partitions === 1) return;
  await db.query(
    `insert into ${PARTITION_TABLE} (partitions, partition, generation, tx, seq, epoch, complete, rebuild_tx, rebuild_seq, rebuild_epoch)
     select $1, partition, generation, tx, seq, epoch, complete, rebuild_tx, rebuild_seq, rebuild_epoch
       from ${FEED}, generate_series(0, $1 - 1) as partition
     on conflict on constraint opensearch_partition_key do update
        set generation = excluded.generation, tx = excluded.tx, seq = excluded.seq, epoch = excluded.epoch,
            complete = excluded.complete, rebuild_tx = excluded.rebuild_tx, rebuild_seq = excluded.rebuild_seq,
            rebuild_epoch = excluded.rebuild_epoch, rebuild_complete = false`,
    [partitions],
  );
}

/**
 * Invalidates all partitions, in the transaction that holds the feed row. Partitions in progress
 * can then no longer move the feed.
 */
export async function invalidatePartitions(db: Queryable): Promise<void> {
  await db.query(`update ${PARTITION_TABLE} set generation = 0 where generation <> 0`);
}

/** Returns true without partitions. */
export async function areAllRebuilt(db: Queryable, generation: number): Promise<boolean> {
  const { rows } = await db.query(
    `select from ${PARTITION_TABLE} where generation = $1 and not rebuild_complete limit 1`,
    [generation],
  );
  return rows.length === 0;
}

/**
 * Moves a partition, and the feed to the position furthest behind, in the caller's transaction.
 * Throws FeedMoved if another reader moved the partition, a higher fence token leads it, or the
 * generation or the partitions changed.
 */
export async function advancePartition(
  db: Queryable,
  range: PartitionRange,
  fence: bigint,
  generation: number,
): Promise<void> {
  const { feed, partition } = range;
  const isLocked = partition.partition === 0 ? await lockAsLeader(db, fence, generation) : await lock(db, generation);
  const isMoved =
    isLocked &&
    (feed === 'live' ? await moveLive(db, range, fence, generation) : await moveRebuild(db, range, fence, generation));
  if (!isMoved) throw new FeedMoved('the partition was moved by another projector, or is none any more');
}

async function lockAsLeader(db: Queryable, fence: bigint, generation: number): Promise<boolean> {
  const { rowCount } = await db.query(`update ${FEED} set fence = $1 where fence <= $1 and generation = $2`, [
    fence,
    generation,
  ]);
  return rowCount === 1;
}

async function lock(db: Queryable, generation: number): Promise<boolean> {
  const { rows } = await db.query(`select from ${FEED} where generation = $1 for update`, [generation]);
  return rows.length === 1;
}

async function moveLive(db: Queryable, range: PartitionRange, fence: bigint, generation: number): Promise<boolean> {
  const { partition, from, to, complete } = range;
  const { rowCount } = await db.query(
    `update ${PARTITION_TABLE} set tx = $6, seq = $7, epoch = $8, complete = $9, fence = $4
      where partitions = $1 and partition = $2 and generation = $3 and fence <= $4 and (tx, seq) is not distinct from ($5::bigint, $10::bigint)`,
    [
      partition.of,
      partition.partition,
      generation,
      fence,
      from?.tx ?? null,
      to.tx,
      to.seq,
      to.epoch || null,
      complete,
      from?.seq ?? null,
    ],
  );
  if (rowCount !== 1) return false;
  await db.query(
    `update ${FEED} as feed
        set tx = hindmost.tx, seq = hindmost.seq, epoch = hindmost.epoch, complete = hindmost.complete,
            analysis_version = case when feed.tx is null then $2::integer else feed.analysis_version end
       from (select tx, seq, epoch, complete from ${PARTITION_TABLE} where generation = $1
              order by tx nulls first, seq nulls first, complete limit 1) as hindmost
      where hindmost.tx is not null and (feed.tx is null or (feed.tx, feed.seq) <= (hindmost.tx, hindmost.seq))`,
    [generation, ANALYSIS_VERSION],
  );
  return true;
}

async function moveRebuild(db: Queryable, range: PartitionRange, fence: bigint, generation: number): Promise<boolean> {
  const { partition, from, to, complete } = range;
  const { rowCount } = await db.query(
    `update ${PARTITION_TABLE} set rebuild_tx = $6, rebuild_seq = $7, rebuild_epoch = $8, rebuild_complete = rebuild_complete or $9, fence = $4
      where partitions = $1 and partition = $2 and generation = $3 and fence <= $4
        and (rebuild_tx, rebuild_seq) is not distinct from ($5::bigint, $10::bigint)
        and exists (select from ${FEED} where rebuilding)`,
    [
      partition.of,
      partition.partition,
      generation,
      fence,
      from?.tx ?? null,
      to.tx,
      to.seq,
      to.epoch || null,
      complete,
      from?.seq ?? null,
    ],
  );
  if (rowCount !== 1) return false;
  await db.query(
    `update ${FEED} set rebuild_tx = hindmost.tx, rebuild_seq = hindmost.seq, rebuild_epoch = hindmost.epoch
       from (select rebuild_tx as tx, rebuild_seq as seq, rebuild_epoch as epoch from ${PARTITION_TABLE} where generation = $1
              order by rebuild_tx nulls first, rebuild_seq nulls first limit 1) as hindmost`,
    [generation],
  );
  return true;
}
