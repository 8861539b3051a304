import type { Queryable } from '@ces/chassis/postgres/pool';
import { ALL_TIME, type Range } from '../range.ts';
import { type Difference, select } from './difference.ts';

/**
 * Instants at which an interval exceeded its limit. Only entries that the current numbers admitted,
 * without reversed ones.
 */
export async function findOversteppedLimits(
  db: Queryable,
  subscriptionId: bigint,
  range: Range = ALL_TIME,
): Promise<readonly Difference[]> {
  return await select(
    db,
    subscriptionId,
    range,
    'overstepped-limits',
    `with payer as (
       select s.limits_changed_at, s.period_anchor, l.*
       from subscription s
       join subscription_limit l on l.subscription_id = s.id
       where s.id = $1
     ), judged as materialized (
       select e.operation_id, e.settled_at, e.request_units, e.delivered_units
       from entry e
       where e.subscription_id = $1 and e.settled_at > $3 and e.settled_at <= $4
         and e.settled_at > (select limits_changed_at from payer)
     ), full_interval as materialized (
       select i.name, i.seconds, i.request_limit, i.delivered_limit
       from payer p
       cross join lateral (select greatest($3::timestamptz, p.limits_changed_at) as after_at) r
       cross join lateral (values
         ('window', p.window_seconds, p.window_request_units, p.window_delivered_units),
         ('week', 604800, p.week_request_units, p.week_delivered_units),
         ('period', null, p.period_request_units, p.period_delivered_units)
       ) i (name, seconds, request_limit, delivered_limit)
       cross join lateral units_between($1, coalesce(r.after_at - i.seconds * interval '1 second',
         period_start(p.period_anchor, r.after_at) - interval '1 microsecond'), $4) u
       where u.request_units > i.request_limit or u.delivered_units > i.delivered_limit
     )
     select j.operation_id, format('%s %s: %s at %s, limit %s', i.name, u.unit, u.total, j.settled_at, u.max) as description
     from full_interval i
     cross join payer p
     cross join judged j
     cross join lateral (
       select coalesce(j.settled_at - i.seconds * interval '1 second',
                       period_start(p.period_anchor, j.settled_at) - interval '1 microsecond') as tail_at
     ) t
     cross join lateral units_between($1, t.tail_at, j.settled_at) settled
     cross join lateral (
       select coalesce(sum(r.request_units), 0) as request_units, coalesce(sum(r.delivered_units), 0) as delivered_units
       from reversal r
       where r.subscription_id = $1 and r.settled_at > t.tail_at and r.settled_at <= j.settled_at
     ) undone
     cross join lateral (values
       ('request units', j.request_units, settled.request_units + undone.request_units, i.request_limit),
       ('delivered units', j.delivered_units, settled.delivered_units + undone.delivered_units, i.delivered_limit)
     ) u (unit, own, total, max)
     where u.own > 0 and u.total > u.max
       and not exists (select from reversal r where r.operation_id = j.operation_id)
       and exists (select from find_holds(array[j.operation_id]) h where h.created_at > p.limits_changed_at)
     order by j.settled_at
     limit $2`,
  );
}
