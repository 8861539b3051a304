import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Operation } from '../operation/operation.ts';
import { OPERATION_COLUMNS, type OperationRow, toOperation } from './operation-row.ts';

/** The right to run an operation. Every write of the run names its fence; a later claim makes it void (decision 0011). */
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

/** The accepting process begins the run under the lease it was accepted with. Undefined when another process has it, or it was withdrawn. */
export async function claimAccepted(db: Queryable, id: bigint, options: ClaimOptions): Promise<Claim | undefined> {
  const { rows } = await db.query<ClaimRow>(
    // The operation is locked before its job, as a withdrawal does: in the other order the two could wait for each other.
    `with admitted as (
       select id from operation where id = $1 and state in ('created', 'held') for no key update
     ), claimed as (
       update job set attempts = 1, due_at = l.until, publish_at = l.until
       from admitted, (select clock_timestamp() + $3 * interval '1 millisecond' as until) as l
       where operation_id = admitted.id and fence = 1 and owner = $2
       returning operation_id, fence, attempts, traceparent
     )
     ${startClaimed('$4', `('created', 'held')`)}`,
    [id, options.owner, options.leaseMs, options.processingMs],
  );
  return rows[0] && toClaim(rows[0]);
}

/** Begun, and not given back by the process that began it. */
const IS_QUARANTINED = '(j.owner is not null and j.attempts > 0)';

/**
 * Claims due jobs under no lease, oldest first, at most `count`. A job left by a process that ended may have ended it, and
 * is quarantined: such jobs are claimed apart, and while any waits no other is claimed.
 */
export async function claimDue(
  db: Queryable,
  count: number,
  maxAttempts: number,
  options: ClaimOptions,
  which: 'quarantined' | 'ordinary' = 'ordinary',
): Promise<Claim[]> {
  const { rows } = await db.query<ClaimRow>(
    `with due as (
       select j.operation_id from job j join operation o on o.id = j.operation_id
       where j.due_at <= clock_timestamp() and j.attempts < $4
         and o.state in ('held', 'running') and o.deadline_at > clock_timestamp()
         and case when $6 then ${IS_QUARANTINED} else not exists (
           select from job as s where s.due_at <= clock_timestamp() and s.attempts < $4 and ${IS_QUARANTINED.replaceAll('j.', 's.')}
         ) end
       order by j.due_at limit $5
       for update of j skip locked
     ), claimed as (
       update job set fence = fence + 1, attempts = attempts + 1, owner = $1, due_at = l.until, publish_at = l.until
       from due, (select clock_timestamp() + $2 * interval '1 millisecond' as until) as l
       where job.operation_id = due.operation_id
       returning job.operation_id, fence, attempts, traceparent
     )
     ${startClaimed('$3', `('held', 'running')`)}`,
    [options.owner, options.leaseMs, options.processingMs, maxAttempts, count, which === 'quarantined'],
  );
  return rows.map(toClaim);
}

/** Extends the lease. False when it is lost. */
export async function extendLease(db: Queryable, id: bigint, fence: bigint, leaseMs: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `update job set due_at = l.until, publish_at = l.until
     from (select clock_timestamp() + $3 * interval '1 millisecond' as until) as l
     where operation_id = $1 and fence = $2`,
    [id, fence, leaseMs],
  );
  return rowCount === 1;
}

/** Gives the lease up: the next attempt may begin after a while. False when it was lost. */
export async function postpone(db: Queryable, id: bigint, fence: bigint, afterMs: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `update job set owner = null, due_at = next.at, publish_at = next.at
     from (select clock_timestamp() + $3 * interval '1 millisecond' as at) as next
     where operation_id = $1 and fence = $2`,
    [id, fence, afterMs],
  );
  return rowCount === 1;
}

/** Ends the job. False when the lease is lost: the caller must write nothing. */
export async function deleteJob(db: Queryable, id: bigint, fence: bigint): Promise<boolean> {
  const { rowCount } = await db.query('delete from job where operation_id = $1 and fence = $2', [id, fence]);
  return rowCount === 1;
}

/** A job whose message is to be published: how often it was, this time included, and in which trace. */
export interface UnpublishedJob {
  readonly operationId: bigint;
  readonly publications: number;
  readonly traceparent: string | undefined;
}

/** Doublings of the pause between two publications, at most. */
const LONGEST_PAUSE_DOUBLINGS = 5;

/**
 * Jobs whose message should be published now, the longest due first; each is marked, so that it is published again only
 * after `againMs`, and after twice as long each time: a queue that workers are slow to empty must not hold up new jobs.
 */
export async function takeUnpublished(db: Queryable, count: number, againMs: number): Promise<UnpublishedJob[]> {
  const { rows } = await db.query<{ operation_id: bigint; publications: number; traceparent: string | null }>(
    `update job set publications = publications + 1,
                    publish_at = clock_timestamp() + $2::float8 * 2 ^ least(publications, $3::int) * interval '1 millisecond'
     where operation_id in (
       select operation_id from job where publish_at <= clock_timestamp() and due_at <= clock_timestamp()
       order by publish_at limit $1 for update skip locked
     )
     returning operation_id, publications, traceparent`,
    [count, againMs, LONGEST_PAUSE_DOUBLINGS],
  );
  return rows.map(({ operation_id, publications, traceparent }) => ({
    operationId: operation_id,
    publications,
    traceparent: traceparent ?? undefined,
  }));
}

/** Makes a job due now unless a process runs it. */
export async function makeDue(db: Queryable, id: bigint): Promise<boolean> {
  const { rowCount } = await db.query(
    `update job set owner = null, due_at = least(due_at, clock_timestamp()), publish_at = clock_timestamp()
     where operation_id = $1 and (owner is null or due_at <= clock_timestamp())`,
    [id],
  );
  return rowCount === 1;
}

/** The operations of `claimed` begin or go on; the first claim sets the deadline of all attempts. */
function startClaimed(processingMs: string, states: string): string {
  return `
  update operation as o set state = 'running', started_at = coalesce(o.started_at, clock_timestamp()),
    deadline_at = case when o.started_at is null
      then clock_timestamp() + ${processingMs} * interval '1 millisecond' else o.deadline_at end
  from claimed where o.id = claimed.operation_id and o.state in ${states}
  returning ${OPERATION_COLUMNS}, claimed.fence, claimed.attempts, claimed.traceparent`;
}

function toClaim(row: ClaimRow): Claim {
  const { fence, attempts, traceparent } = row;
  return { operation: toOperation(row), fence, attempts, traceparent: traceparent ?? undefined };
}
