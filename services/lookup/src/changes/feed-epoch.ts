import type { Queryable } from '@ces/chassis/postgres/pool';
import type { FeedEnd, Position } from './change-feed.ts';

/** A position as a reader keeps it: with the epoch in which it was given; '' from a reader that knows of none. */
export interface ReaderPosition extends Position {
  readonly epoch: string;
}

/**
 * Whether what a reader has read up to `after` is still what the feed holds. In the same epoch a position beyond the newest
 * change says that the tail was lost. On another timeline of the same history a position stands where its change does, written
 * no later than the timeline on which it was read; what was written since may bear the numbers of what was lost.
 */
export async function isPositionKnown(
  db: Queryable,
  after: ReaderPosition,
  { epoch, isBeyondEnd }: FeedEnd,
): Promise<boolean> {
  if (after.epoch === '' || after.tx === 0n) return true;
  if (after.epoch === epoch) return !isBeyondEnd;
  const [read, present] = [partsOf(after.epoch), partsOf(epoch)];
  return read.history === present.history && (await isThere(db, after, read.timeline));
}

function partsOf(epoch: string): { readonly history: string; readonly timeline: number } {
  const at = epoch.lastIndexOf('.');
  return { history: epoch.slice(0, at), timeline: Number(epoch.slice(at + 1)) || 0 };
}

async function isThere(db: Queryable, { tx, seq }: Position, timeline: number): Promise<boolean> {
  const { rowCount } = await db.query(
    'select 1 from change where tx = $1::xid8 and seq = $2 and coalesce(timeline, 0) <= $3',
    [String(tx), seq, timeline],
  );
  return rowCount === 1;
}

/** Says of changes that another server numbered that they are past, `limit` at most, and begins a new epoch after the last. True when none is left. */
export async function settleForeignChanges(
  db: Queryable,
  limit: number,
): Promise<{ readonly settled: bigint; readonly isDone: boolean }> {
  const { rows } = await db.query<{ settled: bigint }>('select settle_foreign_changes($1) as settled', [limit]);
  const settled = rows[0]?.settled ?? 0n;
  const isDone = settled < BigInt(limit);
  if (isDone) await db.query('select begin_feed_epoch()');
  return { settled, isDone };
}

/** Whether the feed holds changes whose transactions this server has not given yet: it was restored from another one's dump. */
export async function hasForeignChanges(db: Queryable): Promise<boolean> {
  const { rowCount } = await db.query(
    'select 1 from change where tx >= pg_snapshot_xmax(pg_current_snapshot()) order by tx desc limit 1',
  );
  return rowCount === 1;
}
