import type { Queryable } from '@ces/chassis/postgres/pool';

/**
 * The first part of a statement that changes an operation, `$1`, and its job, with `JOB_LOCKED` where it finds the operation. A job
 * is locked before its operation, everywhere: a claim finds the job first, and in the other order two could wait for each other
 * (decision 0005). Tables by operation are asked for `$1` in such a statement, and never for what another part of it found: which of
 * their partitions are read must be known before it runs (decision 0038).
 */
export const LOCK_JOB = 'locked as (select operation_id from job where operation_id = $1 for update)';
/** The same with several operations, an array, where it is only known as it runs. */
export const LOCK_JOBS = 'locked as materialized (select lock_jobs($1))';
/** True, once the jobs are locked. */
export const JOB_LOCKED = '(select count(*) from locked) >= 0';

/** The fence of an acceptance: until another claims the job, what names it is of the process that accepted the operation. */
export const ACCEPTED_FENCE = '1';
/** The states in which an operation runs under its acceptance: its claim is not written yet, or is (decision 0005). */
export const OF_ACCEPTED_RUN = `('created', 'held', 'running')`;

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

/** How a lease is given up: when the next attempt may begin, in which line, and whether this one counts. */
export interface Postponement {
  readonly afterMs: number;
  readonly line: 'run' | 'sources';
  /** `fault`: of the work itself, so that it counts. `outage`: of another service. `stop`: of this process, or for want of a slot. */
  readonly cause: 'fault' | 'outage' | 'stop';
}

/** Gives the lease up: the next attempt may begin after a while. False when it was lost. */
export async function postpone(
  db: Queryable,
  id: bigint,
  fence: bigint,
  { afterMs, line, cause }: Postponement,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update job set owner = null, line = $4, ready = $3::float8 = 0, due_at = next.at, publish_at = next.at,
       attempts = case when $5 = 'fault' then attempts else greatest(attempts - 1, 0) end,
       outages = case $5 when 'outage' then outages + 1 when 'fault' then 0 else outages end
     from (select clock_timestamp() + $3::float8 * interval '1 millisecond' as at) as next
     where operation_id = $1 and fence = $2`,
    [id, fence, afterMs, line, cause],
  );
  return rowCount === 1;
}

/** How long the process that wrote a state may take for the step that follows before the sweeper takes it, in milliseconds. */
export const OWN_STEP_MS = 2_000;

/** What a job whose run has ended is set to: it waits for the sweeper, at once or after a while. */
export function runEnded(afterMs: number): string {
  return `fence = fence + 1, owner = null, line = 'step', ready = ${afterMs === 0}, tries = 0, publish_at = 'infinity',
    deadline_at = null, due_at = clock_timestamp() + interval '${afterMs} milliseconds'`;
}

/** Makes a job due now unless a process runs it. */
export async function makeDue(db: Queryable, id: bigint): Promise<boolean> {
  const { rowCount } = await db.query(
    `update job set owner = null, due_at = least(due_at, clock_timestamp()),
       publish_at = case when line = 'step' then publish_at else clock_timestamp() end
     where operation_id = $1 and (owner is null or due_at <= clock_timestamp())`,
    [id],
  );
  return rowCount === 1;
}

/**
 * Looks at jobs whose time has come, the longest due first, at most `count`, and puts each into the line where its operation
 * belongs now: what has a lease that ended, what paused, and what another release has written. Jobs of what has ended go.
 */
export async function lineUp(db: Queryable, maxAttempts: number, count: number): Promise<number> {
  const { rowCount } = await db.query(
    `with due as (
       select operation_id, owner, attempts, line from lock_due_jobs($2)
     ), found as (
       select due.*, o.id, o.account_id, o.state, o.deadline_at, o.state in ('held', 'running') as runs,
         o.id is null or o.state in ('delivered', 'failed', 'retired') as ended
       from due left join operation o on o.id = due.operation_id
     ), gone as (
       delete from job using found where job.operation_id = found.operation_id and ended
     ), lined_up as (
       update job set ready = true, account_id = found.account_id,
         line = case
           when not runs or found.attempts >= $1 or found.deadline_at <= clock_timestamp() then 'step'
           when found.owner is not null and found.attempts > 0 then 'quarantine'
           when found.line = 'sources' then 'sources' else 'run' end,
         deadline_at = case when runs then found.deadline_at end,
         publish_at = case when runs then least(publish_at, clock_timestamp()) else 'infinity' end
       from found where job.operation_id = found.operation_id and not ended
     )
     select from found`,
    [maxAttempts, count],
  );
  return rowCount ?? 0;
}
