/** Round-robin over accounts, each up to `accountBound` concurrent jobs of this process. */
export interface DequeueOptions {
  readonly queue: JobQueue;
  readonly count: number;
  readonly after: bigint;
  readonly running: ReadonlyMap<bigint, number>;
  readonly accountBound: number;
}

/** A worker, a worker without other runs, one with a slot for asking sources, or the sweeper. */
export const JOB_QUEUES = ['run', 'quarantine', 'sources', 'step'] as const;
export type JobQueue = (typeof JOB_QUEUES)[number];

export function dequeueValues({ queue, count, after, running, accountBound }: DequeueOptions): unknown[] {
  return [queue, count, after, [...running.keys()], [...running.values()], accountBound];
}

/**
 * The last, `taken`, locks at most $2 rows. One probe of the index job_ready finds each account, so
 * the cost is independent of the queue length.
 */
export const FAIR_DEQUEUE = `
  upward (account_id, n) as (
    (select account_id, 1 from job where ready and queue = $1 and account_id > $3 order by account_id limit 1)
    union all
    select next.account_id, n + 1 from upward, lateral (
      select account_id from job where ready and queue = $1 and account_id > upward.account_id order by account_id limit 1
    ) as next where n < $2 + cardinality($4::bigint[])
  ), around (account_id, n) as (
    (select account_id, 1 from job where ready and queue = $1 order by account_id limit 1)
    union all
    select next.account_id, n + 1 from around, lateral (
      select account_id from job where ready and queue = $1 and account_id > around.account_id order by account_id limit 1
    ) as next where n < $2 + cardinality($4::bigint[])
  ), accounts as (
    select account_id, $6 - coalesce(runs, 0) as room, half, n
    from (
      select account_id, 1 as half, n from upward union all select account_id, 2, n from around where account_id <= $3
    ) as found
    left join unnest($4::bigint[], $5::int[]) as running (account_id, runs) using (account_id)
    where coalesce(runs, 0) < $6
    order by half, n limit $2
  ), taken as materialized (
    select job.operation_id, accounts.account_id
    from (select *, count(*) over () as total from accounts order by half, n) as accounts,
      lock_ready_jobs($1, accounts.account_id, least(room, ($2 + total - 1) / total)) as job (operation_id)
    limit $2
  )`;
