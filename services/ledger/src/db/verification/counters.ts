import type { Queryable } from '@ces/chassis/postgres/pool';
import { type Difference, selectOf } from './difference.ts';

export async function findCounterDifferences(db: Queryable, subscriptionId: bigint): Promise<readonly Difference[]> {
  return [
    ...(await findSettledDifferences(db, [subscriptionId])),
    ...(await findHeldDifferences(db, [subscriptionId])),
  ];
}

export async function findSettledDifferences(
  db: Queryable,
  subscriptionIds: readonly bigint[],
): Promise<readonly Difference[]> {
  return await selectOf(
    db,
    subscriptionIds,
    'settled-differences',
    `select s.id as subscription_id, d.operation_id, d.description
     from unnest($1::bigint[]) as s (id)
     cross join lateral (
       select 0::bigint as operation_id,
              format('counter of %s %s: stored %s, recomputed %s', i.name, u.unit, u.stored, u.recomputed) as description
       from subscription_interval i
       cross join lateral units_between(s.id, i.tail_at, 'infinity') r
       cross join lateral (values
         ('request units', i.request_units, r.request_units),
         ('delivered units', i.delivered_units, r.delivered_units),
         ('fresh evidence units', i.fresh_evidence_units, r.fresh_evidence_units)
       ) u (unit, stored, recomputed)
       where i.subscription_id = s.id and u.stored <> u.recomputed
       union all
       select e.operation_id,
              format('entry at %s, later than the subscription''s last instant %s', e.settled_at, c.last_at)
       from subscription c
       cross join lateral (
         select operation_id, settled_at
         from entry
         where subscription_id = c.id and settled_at > c.last_at
         order by settled_at
         limit $2
       ) e
       where c.id = s.id
     ) d`,
  );
}

export async function findHeldDifferences(
  db: Queryable,
  subscriptionIds: readonly bigint[],
): Promise<readonly Difference[]> {
  return await selectOf(
    db,
    subscriptionIds,
    'held-differences',
    `select s.id as subscription_id, 0::bigint as operation_id,
            format('counter of held %s: stored %s, recomputed %s', u.unit, u.stored, u.recomputed) as description
     from subscription s
     cross join lateral (
       select coalesce(sum(request_units), 0) as request_units, coalesce(sum(delivered_units), 0) as delivered_units
       from open_hold
       where subscription_id = s.id
     ) r
     cross join lateral (values
       ('request units', s.held_request_units, r.request_units),
       ('delivered units', s.held_delivered_units, r.delivered_units)
     ) u (unit, stored, recomputed)
     where s.id = any($1::bigint[]) and u.stored <> u.recomputed
     limit $2 * 100`,
  );
}
