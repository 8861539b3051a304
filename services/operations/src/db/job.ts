import type { Queryable } from '@ces/chassis/postgres/pool';

/**
 * First CTE of a statement that changes operation `$1`; use it with `JOB_LOCKED`. The job is locked
 * first, because a claim finds it first: the other order could deadlock (decision 0005). Select
 * partitioned tables by `$1`, never by another CTE, so that the planner prunes partitions (decision
 * 0038).
 */
export const LOCK_JOB = 'locked as (select operation_id from job where operation_id = $1 for update)';
export const LOCK_JOBS = 'locked as materialized (select lock_jobs($1))';
/** Always true; evaluating it locks the jobs. */
export const JOB_LOCKED = '(select count(*) from locked) >= 0';

/** Until another claim, the job belongs to the process that accepted the operation. */
export const ACCEPTED_FENCE = '1';
/** States under an acceptance, before or after its claim is written (decision 0005). */
export const ACCEPTED_RUN_STATES = `('created', 'held', 'running')`;

export async function extendLease(db: Queryable, id: bigint, fence: bigint, leaseMs: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `update job set due_at = l.until, publish_at = l.until
     from (select clock_timestamp() + $3 * interval '1 millisecond' as until) as l
     where operation_id = $1 and fence = $2`,
    [id, fence, leaseMs],
  );
  return rowCount === 1;
}

export interface Postponement {
  readonly afterMs: number;
  readonly queue: 'run' | 'sources';
  /** `fault` counts as an attempt; `outage` of another service and `stop` of this one do not. */
  readonly cause: 'fault' | 'outage' | 'stop';
}

/** The next attempt may begin after `afterMs`. False when the lease was lost. */
export async function postpone(
  db: Queryable,
  id: bigint,
  fence: bigint,
  { afterMs, queue, cause }: Postponement,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update job set owner = null, queue = $4, ready = $3::float8 = 0, due_at = next.at, publish_at = next.at,
       attempts = case when $5 = 'fault' then attempts else greatest(attempts - 1, 0) end,
       outages = case $5 when 'outage' then outages + 1 when 'fault' then 0 else outages end
     from (select clock_timestamp() + $3::float8 * interval '1 millisecond' as at) as next
     where operation_id = $1 and fence = $2`,
    [id, fence, afterMs, queue, cause],
  );
  return rowCount === 1;
}

/** Only after this time does the sweeper take the next step of another process. */
export const SWEEPER_DELAY_MS = 2_000;

/** Waits for the sweeper, at once or after `afterMs`. */
export function endedRunColumns(afterMs: number): string {
  return `fence = fence + 1, owner = null, queue = 'step', ready = ${afterMs === 0}, tries = 0, publish_at = 'infinity',
    deadline_at = null, due_at = clock_timestamp() + interval '${afterMs} milliseconds'`;
}

/** Makes a job due now unless a process runs it. */
export async function makeDue(db: Queryable, id: bigint): Promise<boolean> {
  const { rowCount } = await db.query(
    `update job set owner = null, due_at = least(due_at, clock_timestamp()),
       publish_at = case when queue = 'step' then publish_at else clock_timestamp() end
     where operation_id = $1 and (owner is null or due_at <= clock_timestamp())`,
    [id],
  );
  return rowCount === 1;
}

/**
 * Puts at most `count` jobs into the queue that fits their operation now. Due are jobs with an
 * ended lease or pause, and those that another release wrote. Deletes jobs of ended operations.
 */
export async function enqueueDue(db: Queryable, maxAttempts: number, count: number): Promise<number> {
  const { rowCount } = await db.query(
    `with due as (
       select operation_id, owner, attempts, queue from lock_due_jobs($2)
     ), found as (
       select due.*, o.id, o.account_id, o.state, o.deadline_at, o.state in ('held', 'running') as runs,
         o.id is null or o.state in ('delivered', 'failed') as ended
       from due left join operation o on o.id = due.operation_id
     ), gone as (
       delete from job using found where job.operation_id = found.operation_id and ended
     ), enqueued as (
       update job set ready = true, account_id = found.account_id,
         queue = case
           when not runs or found.attempts >= $1 or found.deadline_at <= clock_timestamp() then 'step'
           when found.owner is not null and found.attempts > 0 then 'quarantine'
           when found.queue = 'sources' then 'sources' else 'run' end,
         deadline_at = case when runs then found.deadline_at end,
         publish_at = case when runs then least(publish_at, clock_timestamp()) else 'infinity' end
       from found where job.operation_id = found.operation_id and not ended
     )
     select from found`,
    [maxAttempts, count],
  );
  return rowCount ?? 0;
}
