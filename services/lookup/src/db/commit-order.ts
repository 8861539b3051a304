import type { Queryable } from '@ces/chassis/postgres/pool';

/** Held from the choice of `recorded_at` to the end of the transaction, so that it grows in the order of commits. */
const COMMIT_ORDER_LOCK = 7_304_118_201n;

/** Takes the commit-order lock until the transaction ends; nothing else is waited for while it is held. */
export async function lockCommitOrder(client: Queryable): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [COMMIT_ORDER_LOCK]);
}

/**
 * A `recorded_at` for rows written under the commit-order lock: later than every committed one and than every completeness
 * that was ever answered, in whole milliseconds, wherever the server's clock is set. A SQL expression.
 */
export const NEXT_RECORDED_AT = `(
  select greatest(date_trunc('milliseconds', clock_timestamp()), max(recorded_at), (select complete_until from completeness))
         + interval '1 millisecond'
    from observation)`;

/**
 * The instant up to which the record is complete: no later commit gets an earlier or equal `recorded_at`. At most a second ago
 * while no writer holds the commit-order lock, for nothing later is answered than what was written down before; else
 * the newest committed `recorded_at`, since one in flight is later. It never waits; rows are to be read in a statement of their
 * own after it.
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
