import type { Queryable } from '@ces/chassis/postgres/pool';

export interface MaxFuture {
  readonly leaseMs: number;
  readonly pauseMs: number;
  readonly publicationMs: number;
  readonly deadlineMs: number;
}

/**
 * Corrects instants further ahead than any that are written, after the database's clock was set
 * back (decision 0004). A lease lasts a whole one from now, since its holder may still run. At most
 * `count` jobs, furthest ahead first.
 */
export async function clampFutureInstants(
  db: Queryable,
  { leaseMs, pauseMs, publicationMs, deadlineMs }: MaxFuture,
  count: number,
): Promise<number> {
  const bounds = [leaseMs, pauseMs, publicationMs, deadlineMs];
  const { rows: far } = await db.query<{ operation_id: bigint }>(
    `with ${LATEST}
     (select operation_id from job
      where not ready and due_at > (select lease from latest)
        and (owner is not null or due_at > (select pause from latest))
      order by due_at desc limit $5)
     union
     (select operation_id from job
      where publish_at > (select publication from latest) and publish_at < 'infinity'
      order by publish_at desc limit $5)
     union
     (select operation_id from job where deadline_at > (select deadline from latest) order by deadline_at desc limit $5)`,
    [...bounds, count],
  );
  if (far.length === 0) return 0;
  const { rowCount } = await db.query(
    `with ${LATEST}, locked as (
       select operation_id from lock_free_jobs($5)
     ), brought as (
       update job set
         due_at = case
           when ready then due_at
           when owner is not null then least(due_at, lease)
           when due_at > pause then now
           else due_at end,
         publish_at = case when publish_at > publication and publish_at < 'infinity' then now else publish_at end,
         deadline_at = least(deadline_at, deadline)
       from locked, latest where job.operation_id = locked.operation_id
       returning job.operation_id, job.deadline_at
     ), deadlines as (
       update operation set deadline_at = brought.deadline_at
       from brought
       where id = brought.operation_id and state in ('held', 'running') and operation.deadline_at > brought.deadline_at
     )
     select from brought`,
    [...bounds, far.map((job) => job.operation_id)],
  );
  return rowCount ?? 0;
}

const LATEST = `latest as materialized (
  select at as now, at + $1 * interval '1 millisecond' as lease, at + $2 * interval '1 millisecond' as pause,
    at + $3 * interval '1 millisecond' as publication, at + $4 * interval '1 millisecond' as deadline
  from (select clock_timestamp() as at) as clock
)`;
