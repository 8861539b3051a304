import type { Queryable } from '@ces/chassis/postgres/pool';

/** Pays for one more request of a source today; false when its budget of the day is used up. */
export async function payRequest(db: Queryable, source: string, maxPerDay: number | undefined): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into source_budget as budget (source, day, calls)
     values ($1, (clock_timestamp() at time zone 'utc')::date, 1)
     on conflict on constraint source_budget_key do update set calls = budget.calls + 1
       where budget.calls < $2`,
    [source, maxPerDay ?? 2_000_000_000],
  );
  return rowCount === 1;
}
