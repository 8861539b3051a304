import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Operation } from '../operation/operation.ts';
import { OPERATION_COLUMNS, type OperationRow, toOperation } from './operation-row.ts';

/** The right to work on an operation. Every write of the work names its fence; a later claim makes it void. */
export interface Claim {
  readonly operation: Operation;
  readonly fence: bigint;
  /** Attempts begun, this one included. */
  readonly attempts: number;
  /** The W3C trace context in which the operation was accepted. */
  readonly traceparent: string | undefined;
}

export interface ClaimOptions {
  readonly owner: string;
  readonly leaseMs: number;
  /** How long all attempts may take from the first claim, in milliseconds. */
  readonly processingMs: number;
}

interface ClaimRow extends OperationRow {
  fence: bigint;
  attempts: number;
  traceparent: string | null;
}

/** The accepting process begins the work under the lease it was accepted with. Undefined when somebody else has it, or it was withdrawn. */
export async function beginAccepted(db: Queryable, id: bigint, options: ClaimOptions): Promise<Claim | undefined> {
  const { rows } = await db.query<ClaimRow>(
    // The operation is locked before its job, as whoever withdraws it does: in the other order the two could wait for each other.
    `with admitted as (
       select id from operation where id = $1 and point in ('created', 'held') for no key update
     ), claimed as (
       update job set attempts = 1, due_at = l.until, ring_at = l.until
       from admitted, (select clock_timestamp() + $3 * interval '1 millisecond' as until) as l
       where operation_id = admitted.id and fence = 1 and owner = $2
       returning operation_id, fence, attempts, traceparent
     )
     ${beginClaimed('$4', `('created', 'held')`)}`,
    [id, options.owner, options.leaseMs, options.processingMs],
  );
  return rows[0] && toClaim(rows[0]);
}

/** Begun, and not given back by whoever began it. */
const IS_SUSPECT = '(j.owner is not null and j.attempts > 0)';

/**
 * Claims work whose time has come and that nobody holds, oldest first, at most `count`. What is left of a process that
 * ended is suspect of having ended it: such work is claimed apart, and while any waits nothing else is claimed.
 */
export async function claimDue(
  db: Queryable,
  count: number,
  maxAttempts: number,
  options: ClaimOptions,
  which: 'suspect' | 'other' = 'other',
): Promise<Claim[]> {
  const { rows } = await db.query<ClaimRow>(
    `with due as (
       select j.operation_id from job j join operation o on o.id = j.operation_id
       where j.due_at <= clock_timestamp() and j.attempts < $4
         and o.point in ('held', 'running') and o.deadline_at > clock_timestamp()
         and case when $6 then ${IS_SUSPECT} else not exists (
           select from job as s where s.due_at <= clock_timestamp() and s.attempts < $4 and ${IS_SUSPECT.replaceAll('j.', 's.')}
         ) end
       order by j.due_at limit $5
       for update of j skip locked
     ), claimed as (
       update job set fence = fence + 1, attempts = attempts + 1, owner = $1, due_at = l.until, ring_at = l.until
       from due, (select clock_timestamp() + $2 * interval '1 millisecond' as until) as l
       where job.operation_id = due.operation_id
       returning job.operation_id, fence, attempts, traceparent
     )
     ${beginClaimed('$3', `('held', 'running')`)}`,
    [options.owner, options.leaseMs, options.processingMs, maxAttempts, count, which === 'suspect'],
  );
  return rows.map(toClaim);
}

/** Extends the lease. False when it is lost. */
export async function extendLease(db: Queryable, id: bigint, fence: bigint, leaseMs: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `update job set due_at = l.until, ring_at = l.until
     from (select clock_timestamp() + $3 * interval '1 millisecond' as until) as l
     where operation_id = $1 and fence = $2`,
    [id, fence, leaseMs],
  );
  return rowCount === 1;
}

/** Gives the lease up: the next attempt may begin after a while. False when it was lost. */
export async function postpone(db: Queryable, id: bigint, fence: bigint, afterMs: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `update job set owner = null, due_at = next.at, ring_at = next.at
     from (select clock_timestamp() + $3 * interval '1 millisecond' as at) as next
     where operation_id = $1 and fence = $2`,
    [id, fence, afterMs],
  );
  return rowCount === 1;
}

/** Ends the work. False when the lease is lost: whoever asked must write nothing. */
export async function endWork(db: Queryable, id: bigint, fence: bigint): Promise<boolean> {
  const { rowCount } = await db.query('delete from job where operation_id = $1 and fence = $2', [id, fence]);
  return rowCount === 1;
}

/** A bell to ring: how often it did, this time included, and in which trace. */
export interface Ring {
  readonly operationId: bigint;
  readonly rings: number;
  readonly traceparent: string | undefined;
}

/** Doublings of the pause between two rings, at most. */
const LONGEST_PAUSE_DOUBLINGS = 5;

/**
 * Jobs that should ring now, the longest due first; each is marked, so that it rings again only after `againMs`, and after
 * twice as long each time: a line that workers are long in taking must not keep new jobs from ringing.
 */
export async function takeRings(db: Queryable, count: number, againMs: number): Promise<Ring[]> {
  const { rows } = await db.query<{ operation_id: bigint; rings: number; traceparent: string | null }>(
    `update job set rings = rings + 1,
                    ring_at = clock_timestamp() + $2::float8 * 2 ^ least(rings, $3::int) * interval '1 millisecond'
     where operation_id in (
       select operation_id from job where ring_at <= clock_timestamp() and due_at <= clock_timestamp()
       order by ring_at limit $1 for update skip locked
     )
     returning operation_id, rings, traceparent`,
    [count, againMs, LONGEST_PAUSE_DOUBLINGS],
  );
  return rows.map(({ operation_id, rings, traceparent }) => ({
    operationId: operation_id,
    rings,
    traceparent: traceparent ?? undefined,
  }));
}

/** Makes a job due now unless somebody works on it. */
export async function makeDue(db: Queryable, id: bigint): Promise<boolean> {
  const { rowCount } = await db.query(
    `update job set owner = null, due_at = least(due_at, clock_timestamp()), ring_at = clock_timestamp()
     where operation_id = $1 and (owner is null or due_at <= clock_timestamp())`,
    [id],
  );
  return rowCount === 1;
}

/** The operations of `claimed` begin or go on; the first claim dates the end of all attempts. */
function beginClaimed(processingMs: string, points: string): string {
  return `
  update operation as o set point = 'running', started_at = coalesce(o.started_at, clock_timestamp()),
    deadline_at = case when o.started_at is null
      then clock_timestamp() + ${processingMs} * interval '1 millisecond' else o.deadline_at end
  from claimed where o.id = claimed.operation_id and o.point in ${points}
  returning ${OPERATION_COLUMNS}, claimed.fence, claimed.attempts, claimed.traceparent`;
}

function toClaim(row: ClaimRow): Claim {
  const { fence, attempts, traceparent } = row;
  return { operation: toOperation(row), fence, attempts, traceparent: traceparent ?? undefined };
}
