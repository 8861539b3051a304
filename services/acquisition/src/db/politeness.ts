import type { Queryable } from '@ces/chassis/postgres/pool';

const DAY_MS = 86_400_000;

/**
 * Reserves a slot across all processes; returns the wait in milliseconds, Infinity if it exceeds
 * `mostMs`. Slots from before the database clock was set back move with it.
 */
export async function reserveSlot(db: Queryable, host: string, intervalMs: number, mostMs = DAY_MS): Promise<number> {
  const { rows } = await db.query<{ wait_ms: number }>(
    `insert into host_pace as pace (host, next_at) values ($1, clock_timestamp() + $2 * interval '1 millisecond')
     on conflict on constraint host_pace_key do update set
       next_at = greatest(pace.next_at - greatest(pace.reserved_at - clock_timestamp(), interval '0'), clock_timestamp())
         + $2 * interval '1 millisecond',
       reserved_at = clock_timestamp()
       where pace.next_at - greatest(pace.reserved_at - clock_timestamp(), interval '0')
         <= clock_timestamp() + $3 * interval '1 millisecond'
     returning extract(epoch from next_at - $2 * interval '1 millisecond' - clock_timestamp())::float8 * 1000 as wait_ms`,
    [host, intervalMs, mostMs],
  );
  return Math.max(0, rows[0]?.wait_ms ?? Number.POSITIVE_INFINITY);
}

/** False if the source's budget of the day (UTC) is used up. */
export async function chargeRequestBudget(
  db: Queryable,
  source: string,
  maxPerDay: number | undefined,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into source_budget as budget (source, day, calls)
     values ($1, (clock_timestamp() at time zone 'utc')::date, 1)
     on conflict on constraint source_budget_key do update set calls = budget.calls + 1
       where budget.calls < $2`,
    [source, maxPerDay ?? 2_000_000_000],
  );
  return rowCount === 1;
}
