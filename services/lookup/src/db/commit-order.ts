import type { Queryable } from '@ces/chassis/postgres/pool';

/** Held from the choice of `recorded_at` to the end of the transaction, so that it grows in the order of commits. */
const COMMIT_ORDER_LOCK = 7_304_118_201n;

/** Takes the commit-order lock until the transaction ends; nothing else is waited for while it is held. */
export async function lockCommitOrder(client: Queryable): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [COMMIT_ORDER_LOCK]);
}

/**
 * A `recorded_at` for rows written under the commit-order lock: later than every committed one and than every completeness
 * that was ever answered, in whole milliseconds. A SQL expression.
 */
export const NEXT_RECORDED_AT = `(
  select greatest(date_trunc('milliseconds', clock_timestamp()), max(recorded_at)) + interval '1 millisecond'
    from observation)`;

/**
 * The instant up to which the record is complete: no later commit gets an earlier or equal `recorded_at`. While no
 * writer holds the commit-order lock that is now; else the newest committed `recorded_at`, since one in flight is later. So
 * it may lie before an earlier answer, but nothing will ever lie between the two. It never waits; rows are to be read in a
 * statement of their own after it. True as long as the server's clock does not step back.
 */
export async function readCompleteness(db: Queryable): Promise<Date> {
  const { rows } = await db.query<{ as_of: Date }>(
    `select coalesce(
        greatest(
          case when pg_try_advisory_xact_lock_shared($1) then date_trunc('milliseconds', clock_timestamp()) end,
          (select max(recorded_at) from observation)),
        'epoch') as as_of`,
    [COMMIT_ORDER_LOCK],
  );
  return (rows[0] as { as_of: Date }).as_of;
}
