import type { Queryable } from '@ces/chassis/postgres/pool';

/**
 * A writer holds the lock from the choice of `recorded_at` to its commit, so that `recorded_at`
 * grows in commit order.
 */
const COMMIT_ORDER_LOCK = 7_304_118_201n;

/** The holder of this lock waits for no other one. */
export async function lockCommitOrder(client: Queryable): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [COMMIT_ORDER_LOCK]);
}

/**
 * A `recorded_at` in whole milliseconds, for writers that hold the commit-order lock. It is later
 * than every committed one and every completeness that was answered, even if the clock is set back.
 * A SQL expression.
 */
export const NEXT_RECORDED_AT = `(
  select greatest(date_trunc('milliseconds', clock_timestamp()), max(recorded_at), (select complete_until from completeness))
         + interval '1 millisecond'
    from observation)`;

/**
 * Returns the instant up to which the record is complete: no later commit gets an earlier or equal
 * `recorded_at`. Without a writer it is at most a second old, because it must be stored before it
 * is answered. Otherwise it is the newest committed `recorded_at`, which precedes the pending one.
 * It never waits. Read the rows in a later statement.
 */
export async function readCompleteness(db: Queryable): Promise<Date> {
  const { rows } = await db.query<{ as_of: Date }>(
    `with quiet as materialized (
       select date_trunc('milliseconds', clock_timestamp()) as now where pg_try_advisory_xact_lock_shared($1)
     ), due as (
       select only_row, now from completeness, quiet where complete_until < now - interval '1 second'
       for update of completeness skip locked
     ), noted as (
       update completeness set complete_until = due.now from due
       where completeness.only_row = due.only_row returning complete_until
     )
     select greatest((select complete_until from noted), complete_until, (select max(recorded_at) from observation)) as as_of
     from completeness`,
    [COMMIT_ORDER_LOCK],
  );
  return (rows[0] as { as_of: Date }).as_of;
}
