import type { Queryable } from '@ces/chassis/postgres/pool';

/** An interval reads at most this many at each end. */
export const ENTRIES_PER_TOTAL = 256;

export const ENTRIES_A_STEP = 1_024;

/**
 * Concurrent calls write the same rows. If totals were deleted meanwhile, writes nothing and
 * returns the last total's instant, from which entries must be compared again.
 */
export async function appendTotals(db: Queryable, subscriptionId: bigint, until: string): Promise<string | undefined> {
  const { rows } = await db.query<{ forgotten: string | null }>({
    name: 'append-totals',
    text: `
      with last as materialized (
        select * from entry_total where subscription_id = $1 order by settled_at desc limit 1
      ), counted as materialized (
        select settled_at, count(*) over so_far as entries, sum(request_units) over so_far as request_units,
               sum(delivered_units) over so_far as delivered_units,
               sum(fresh_evidence_units) over so_far as fresh_evidence_units
        from (
          select settled_at, request_units, delivered_units, fresh_evidence_units
          from entry
          where subscription_id = $1 and settled_at > coalesce((select settled_at from last), '-infinity')
            and settled_at <= $2::timestamptz
          order by settled_at
          limit $4
        ) e
        window so_far as (order by settled_at)
      ), appended as (
        insert into entry_total (subscription_id, settled_at, entries, request_units, delivered_units, fresh_evidence_units)
        select $1, e.settled_at, e.entries + coalesce(t.entries, 0), e.request_units + coalesce(t.request_units, 0),
               e.delivered_units + coalesce(t.delivered_units, 0),
               e.fresh_evidence_units + coalesce(t.fresh_evidence_units, 0)
        from counted e
        left join last t on true
        where e.entries % $3 = 0 and (select count(*) from counted) < $4
        on conflict do nothing
      )
      select case when count(*) = $4 then coalesce((select settled_at from last), '-infinity')::text end as forgotten
      from counted`,
    values: [subscriptionId, until, ENTRIES_PER_TOTAL, ENTRIES_A_STEP + ENTRIES_PER_TOTAL],
  });
  return rows[0]?.forgotten ?? undefined;
}
