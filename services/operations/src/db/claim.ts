import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Operation } from '../model/operation.ts';
import { type DequeueOptions, dequeueValues, FAIR_DEQUEUE } from './fair-dequeue.ts';
import { ACCEPTED_FENCE, ACCEPTED_RUN_STATES, JOB_LOCKED, LOCK_JOB } from './job.ts';
import { OPERATION_COLUMNS, type OperationRow, toOperation } from './operation-row.ts';
import { toNumber } from './outbox.ts';

/** Every write of the run names this fence; a later claim invalidates it (decision 0006). */
export interface Claim {
  readonly operation: Operation;
  readonly fence: bigint;
  /** Begun, including this one, except those that an outage of another service ended. */
  readonly attempts: number;
  /** Consecutive attempts that an outage of another service ended. */
  readonly outages: number;
  readonly traceparent: string | undefined;
  /** Stream sequence number of the job's message. */
  readonly message: number | undefined;
}

export interface ClaimOptions {
  readonly owner: string;
  readonly leaseMs: number;
  /** Bounds all attempts from the first claim on. */
  readonly processingMs: number;
}

interface ClaimRow extends OperationRow {
  fence: bigint;
  attempts: number;
  outages: number;
  traceparent: string | null;
  message_sequence: bigint | null;
}

/**
 * The accepting process runs it, under the fence of the acceptance; idempotent. False when another
 * process has it, or it was withdrawn or has ended.
 */
export async function claimAccepted(db: Queryable, id: bigint, options: ClaimOptions): Promise<boolean> {
  const { rowCount } = await db.query(
    `with ${LOCK_JOB}, admitted as (
       select id, deadline_at, started_at from operation
       where id = $1 and state in ${ACCEPTED_RUN_STATES} and ${JOB_LOCKED}
     ), claimed as (
       update job set attempts = 1, ready = false, queue = 'run', due_at = l.until, publish_at = l.until,
         deadline_at = ${deadline('admitted', '$4')}
       from admitted, (select clock_timestamp() + $3 * interval '1 millisecond' as until) as l
       where operation_id = admitted.id and fence = ${ACCEPTED_FENCE} and owner = $2
       returning operation_id, job.deadline_at
     )
     ${startClaimed('$1', ACCEPTED_RUN_STATES)}`,
    [id, options.owner, options.leaseMs, options.processingMs],
  );
  return rowCount === 1;
}

/**
 * Round-robin over accounts, oldest first within each. Jobs that may not run now go to the sweeper.
 * `lastAccount`: served last; undefined when the queue was empty.
 */
export async function claimFairly(
  db: Queryable,
  dequeue: DequeueOptions,
  maxAttempts: number,
  options: ClaimOptions,
): Promise<{ readonly claims: Claim[]; readonly lastAccount: bigint | undefined }> {
  const { rows } = await db.query<Partial<ClaimRow> & { last_account: bigint }>(
    `with recursive ${FAIR_DEQUEUE}, found as (
       select taken.operation_id, o.deadline_at, o.started_at, j.message_sequence,
         coalesce(o.state in ('held', 'running') and o.deadline_at > clock_timestamp() and j.attempts < $10, false) as may_run
       from taken join job j using (operation_id) left join operation o on o.id = taken.operation_id
     ), others as (
       update job set queue = 'step'
       from found where job.operation_id = found.operation_id and not may_run
     ), claimed as (
       update job set fence = fence + 1, attempts = attempts + 1, ready = false, owner = $7, due_at = l.until,
         publish_at = l.until, message_sequence = null, deadline_at = ${deadline('found', '$9')}
       from found, (select clock_timestamp() + $8 * interval '1 millisecond' as until) as l
       where job.operation_id = found.operation_id and may_run
       returning job.operation_id, fence, attempts, outages, traceparent, job.deadline_at, found.message_sequence
     ), started as (
       ${startClaimed('claimed.operation_id', `('held', 'running')`)}
       returning ${OPERATION_COLUMNS}, claimed.fence, claimed.attempts, claimed.outages, claimed.traceparent,
         claimed.message_sequence
     )
     select last.account_id as last_account, started.*
     from (select account_id from taken limit 1 offset greatest((select count(*) from taken) - 1, 0)) as last
     left join started on true`,
    [...dequeueValues(dequeue), options.owner, options.leaseMs, options.processingMs, maxAttempts],
  );
  const claims = rows.filter((row): row is ClaimRow & { last_account: bigint } => row.id !== null);
  return { claims: claims.map(toClaim), lastAccount: rows[0]?.last_account };
}

function deadline(operation: string, processingMs: string): string {
  return `case when ${operation}.started_at is null
    then clock_timestamp() + ${processingMs} * interval '1 millisecond' else ${operation}.deadline_at end`;
}

function startClaimed(id: string, states: string): string {
  return `
  update operation as o set state = 'running', started_at = coalesce(o.started_at, clock_timestamp()),
    deadline_at = claimed.deadline_at
  from claimed where o.id = ${id} and o.state in ${states}`;
}

function toClaim(row: ClaimRow): Claim {
  const { fence, attempts, outages, traceparent } = row;
  return {
    operation: toOperation(row),
    fence,
    attempts,
    outages,
    traceparent: traceparent ?? undefined,
    message: toNumber(row.message_sequence),
  };
}
