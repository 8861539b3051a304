import type { Queryable } from '@ces/chassis/postgres/pool';
import { JOB_QUEUES, type JobQueue } from './fair-dequeue.ts';

export interface QueueState {
  readonly isDue: boolean;
  readonly isLate: boolean;
  readonly queues: ReadonlySet<JobQueue>;
}

/**
 * One index probe of the job table for each question. Statements that change operations open every
 * partition, so callers skip them where they would find nothing.
 */
export async function readQueueState(db: Queryable): Promise<QueueState> {
  const { rows } = await db.query<{ isDue: boolean | null; isLate: boolean | null; queues: JobQueue[] }>(
    // `order by … limit 1` makes this an index probe even in a plan made for an empty table.
    `select (select due_at <= clock_timestamp() from job where not ready order by due_at limit 1) as "isDue",
       (select deadline_at <= clock_timestamp() from job where deadline_at is not null order by deadline_at limit 1) as "isLate",
       array(select first.queue from unnest($1::text[]) as known (queue), lateral (
         select job.queue from job where ready and job.queue = known.queue order by account_id, due_at limit 1
       ) as first) as queues`,
    [JOB_QUEUES],
  );
  const [found] = rows;
  return { isDue: found?.isDue ?? false, isLate: found?.isLate ?? false, queues: new Set(found?.queues) };
}
