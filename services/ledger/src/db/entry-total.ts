import type { Queryable } from '@ces/chassis/postgres/pool';

/** Entries from one total of a subscription to the next: what an interval reads at each of its ends, at most. */
export const ENTRIES_PER_TOTAL = 256;

/**
 * Adds up the entries of a subscription after its last total and up to an instant, and leaves a total for every 256 of them. Whoever
 * does the same at the same time leaves the same rows.
 */
export async function appendTotals(db: Queryable, subscriptionId: bigint, until: string): Promise<void> {
  await db.query({
    name: 'append-totals',
    text: `
      with last as (
        select * from entry_total where subscription_id = $1 order by settled_at desc limit 1
      )
      insert into entry_total (subscription_id, settled_at, entries, request_units, delivered_units, fresh_evidence_units)
      select $1, e.settled_at, e.entries + coalesce(t.entries, 0), e.request_units + coalesce(t.request_units, 0),
             e.delivered_units + coalesce(t.delivered_units, 0),
             e.fresh_evidence_units + coalesce(t.fresh_evidence_units, 0)
      from (
        select settled_at, count(*) over so_far as entries, sum(request_units) over so_far as request_units,
               sum(delivered_units) over so_far as delivered_units,
               sum(fresh_evidence_units) over so_far as fresh_evidence_units
        from entry
        where subscription_id = $1 and settled_at > coalesce((select settled_at from last), '-infinity')
          and settled_at <= $2::timestamptz
        window so_far as (order by settled_at)
      ) e
      left join last t on true
      where e.entries % $3 = 0
      on conflict do nothing`,
    values: [subscriptionId, until, ENTRIES_PER_TOTAL],
  });
}
