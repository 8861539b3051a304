import type { Queryable } from '@ces/chassis/postgres/pool';

/** From `after` (exclusive) to `until`. Texts, because a Date would lose microseconds. */
export interface Range {
  readonly after: string;
  readonly until: string;
}

export const ALL_TIME: Range = { after: '-infinity', until: 'infinity' };

/** Returns the range and its number; undefined without entries. */
export async function findNextEntries(
  db: Queryable,
  subscriptionId: bigint,
  after: string,
  limit: number,
): Promise<(Range & { readonly entries: number }) | undefined> {
  const { rows } = await db.query<{ until: string | null; entries: number }>({
    name: 'next-entries',
    text: `
      select max(settled_at)::text as until, count(*)::integer as entries
      from (
        select settled_at
        from entry
        where subscription_id = $1 and settled_at > $2::timestamptz
        order by settled_at
        limit $3
      ) e`,
    values: [subscriptionId, after, limit],
  });
  const { until, entries } = rows[0] ?? { until: null, entries: 0 };
  return until === null ? undefined : { after, until, entries };
}
