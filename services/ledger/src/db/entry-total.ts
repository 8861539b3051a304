import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Range } from './range.ts';

/** Entries from one total of a subscription to the next: what an interval reads at each of its ends, at most. */
export const ENTRIES_PER_TOTAL = 256;

/** The instant of a subscription's last total; `-infinity` where it has none. */
export async function readLastTotal(db: Queryable, subscriptionId: bigint): Promise<string> {
  const { rows } = await db.query<{ settled_at: string }>({
    name: 'last-total',
    text: `
      select settled_at::text as settled_at
      from entry_total
      where subscription_id = $1
      order by entry_total.settled_at desc
      limit 1`,
    values: [subscriptionId],
  });
  return rows[0]?.settled_at ?? '-infinity';
}

/**
 * Adds up the entries of a range that begins with the last total, and leaves a total for every 256 of them. Whoever does the same
 * at the same time leaves the same rows.
 */
export async function appendTotals(db: Queryable, subscriptionId: bigint, { after, until }: Range): Promise<void> {
  await db.query({
    name: 'append-totals',
    text: `
      insert into entry_total (subscription_id, settled_at, entries, request_units, delivered_units, fresh_evidence_units)
      select $1, e.settled_at, e.entries + coalesce(t.entries, 0), e.request_units + coalesce(t.request_units, 0),
             e.delivered_units + coalesce(t.delivered_units, 0),
             e.fresh_evidence_units + coalesce(t.fresh_evidence_units, 0)
      from (
        select settled_at, count(*) over so_far as entries, sum(request_units) over so_far as request_units,
               sum(delivered_units) over so_far as delivered_units,
               sum(fresh_evidence_units) over so_far as fresh_evidence_units
        from entry
        where subscription_id = $1 and settled_at > $2::timestamptz and settled_at <= $3::timestamptz
        window so_far as (order by settled_at)
      ) e
      left join entry_total t on t.subscription_id = $1 and t.settled_at = $2::timestamptz
      where e.entries % $4 = 0
      on conflict do nothing`,
    values: [subscriptionId, after, until, ENTRIES_PER_TOTAL],
  });
}
