/** Which rows of a line are taken, and by whom: accounts in turn, each up to a bound of what one process works on for it. */
export interface Turns {
  readonly line: Line;
  readonly count: number;
  /** The account whose turn was last; it comes last now. */
  readonly after: bigint;
  /** What this process works on for an account now. */
  readonly running: ReadonlyMap<bigint, number>;
  /** What it may work on for one at once. */
  readonly accountBound: number;
}

/** What a job waits for: a worker, a worker with nothing beside it, one with a slot for runs that ask sources, or the sweeper. */
export type Line = 'run' | 'quarantine' | 'sources' | 'step';

/** The values of `takeInTurn`, $1 to $6. */
export function turnValues({ line, count, after, running, accountBound }: Turns): unknown[] {
  return [line, count, after, [...running.keys()], [...running.values()], accountBound];
}

/**
 * Common table expressions whose last, `taken`, locks what is taken: operation_id and account_id, at most $2 rows. Each account
 * is found by one probe of the index job_ready, and its rows stand there together, so that it costs the same however many wait.
 */
export const TAKE_IN_TURN = `
  upward (account_id, n) as (
    (select account_id, 1 from job where ready and line = $1 and account_id > $3 order by account_id limit 1)
    union all
    select next.account_id, n + 1 from upward, lateral (
      select account_id from job where ready and line = $1 and account_id > upward.account_id order by account_id limit 1
    ) as next where n < $2 + cardinality($4::bigint[])
  ), around (account_id, n) as (
    (select account_id, 1 from job where ready and line = $1 order by account_id limit 1)
    union all
    select next.account_id, n + 1 from around, lateral (
      select account_id from job where ready and line = $1 and account_id > around.account_id order by account_id limit 1
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
