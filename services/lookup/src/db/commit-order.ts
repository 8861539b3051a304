import type { Queryable } from '@ces/chassis/postgres/pool';

/** Held from the choice of `recorded_at` to the commit, so that it grows in commit order. */
const COMMIT_ORDER_LOCK = 7_304_118_201n;

/** Its holder waits for no other lock. */
export async function lockCommitOrder(client: Queryable): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [COMMIT_ORDER_LOCK]);
}

/**
 * SQL, under the commit-order lock: later than every committed one and every completeness that was
 * answered, even if the clock is set back; in whole milliseconds.
 */
export const NEXT_RECORDED_AT = `(
  select greatest(date_trunc('milliseconds', clock_timestamp()), max(recorded_at), (select complete_until from completeness))
         + interval '1 millisecond'
    from observation)`;

/**
 * No later commit gets a `recorded_at` up to this instant. Without a writer it is at most a second
 * old, because it is stored before it is answered. Never waits. Read the rows in a later statement.
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
