import type { Queryable } from '@ces/chassis/postgres/pool';
import { ALL_TIME, type Range } from '../range.ts';
import { type Difference, select } from './difference.ts';

export async function findWrongTotals(
  db: Queryable,
  subscriptionId: bigint,
  range: Range = ALL_TIME,
): Promise<readonly Difference[]> {
  return await select(
    db,
    subscriptionId,
    range,
    'wrong-totals',
    `select 0::bigint as operation_id,
            format('total at %s: %s entries of %s/%s/%s units since the one before, recomputed %s of %s/%s/%s',
                   t.settled_at, t.entries, t.request_units, t.delivered_units, t.fresh_evidence_units,
                   s.entries, s.request_units, s.delivered_units, s.fresh_evidence_units) as description
     from (
       select t.settled_at, coalesce(b.settled_at, '-infinity') as after_at, t.entries - coalesce(b.entries, 0) as entries,
              t.request_units - coalesce(b.request_units, 0) as request_units,
              t.delivered_units - coalesce(b.delivered_units, 0) as delivered_units,
              t.fresh_evidence_units - coalesce(b.fresh_evidence_units, 0) as fresh_evidence_units
       from entry_total t
       left join lateral (
         select *
         from entry_total b
         where b.subscription_id = $1 and b.settled_at < t.settled_at
         order by b.settled_at desc
         limit 1
       ) b on true
       where t.subscription_id = $1 and t.settled_at > $3 and t.settled_at <= $4
         and coalesce(b.settled_at, '-infinity') >= (select pruned_before from pruning)
     ) t
     cross join lateral (
       select count(*) as entries, coalesce(sum(e.request_units), 0) as request_units,
              coalesce(sum(e.delivered_units), 0) as delivered_units,
              coalesce(sum(e.fresh_evidence_units), 0) as fresh_evidence_units
       from entry e
       where e.subscription_id = $1 and e.settled_at > t.after_at and e.settled_at <= t.settled_at and e.settled_at <= $4
     ) s
     where (t.entries, t.request_units, t.delivered_units, t.fresh_evidence_units)
           <> (s.entries, s.request_units, s.delivered_units, s.fresh_evidence_units)
     limit $2`,
  );
}
