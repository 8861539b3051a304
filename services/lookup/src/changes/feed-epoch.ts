import type { Queryable } from '@ces/chassis/postgres/pool';
import type { FeedEnd, Position } from './change-feed.ts';

/** An empty epoch: the reader knows none. */
export interface ReaderPosition extends Position {
  readonly epoch: string;
}

/**
 * Whether the feed still holds what was read up to `after` (decision 0011). A position beyond the
 * newest change means a lost tail. On another timeline, its change must exist and be no later than
 * the reader's timeline: later ones may reuse lost numbers.
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

/** Up to `limit` changes that another server numbered; a new epoch begins after the last. */
export async function markForeignChangesPast(
  db: Queryable,
  limit: number,
): Promise<{ readonly settled: bigint; readonly isDone: boolean }> {
  const { rows } = await db.query<{ settled: bigint }>('select mark_foreign_changes_past($1) as settled', [limit]);
  const settled = rows[0]?.settled ?? 0n;
  const isDone = settled < BigInt(limit);
  if (isDone) await db.query('update feed_epoch set epoch = gen_random_uuid()');
  return { settled, isDone };
}

/** True after a restore of another server's dump, whose ids are not assigned here yet. */
export async function hasForeignChanges(db: Queryable): Promise<boolean> {
  const { rowCount } = await db.query(
    'select 1 from change where tx >= pg_snapshot_xmax(pg_current_snapshot()) order by tx desc limit 1',
  );
  return rowCount === 1;
}
