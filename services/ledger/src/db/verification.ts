import type { Queryable } from '@ces/chassis/postgres/pool';

/** One thing that is not as it should be. */
export interface Difference {
  readonly subscriptionId: bigint;
  /** 0 when it is not about one operation. */
  readonly operationId: bigint;
  readonly description: string;
}

/** Differences listed of one kind for one subscription, at most. */
const MAX_LISTED = 100;

/** Subscriptions by id above `afterId`, with the number of their entries and holds. */
export async function listForVerification(
  db: Queryable,
  afterId: bigint,
  limit: number,
): Promise<readonly { id: bigint; entries: bigint; holds: bigint }[]> {
  const { rows } = await db.query<{ id: bigint; entries: bigint; holds: bigint }>(
    `select s.id,
            (select count(*) from entry e where e.subscription_id = s.id) as entries,
            (select count(*) from hold h where h.subscription_id = s.id) as holds
     from subscription s
     where s.id > $1
     order by s.id
     limit $2`,
    [afterId, limit],
  );
  return rows;
}

/** Subscriptions by id above `afterId`, each with the instant of its last hold or entry. */
export async function listLastInstants(
  db: Queryable,
  afterId: bigint,
  limit: number,
): Promise<readonly { id: bigint; lastAt: string }[]> {
  const { rows } = await db.query<{ id: bigint; lastAt: string }>(
    'select id, last_at::text as "lastAt" from subscription where id > $1 order by id limit $2',
    [afterId, limit],
  );
  return rows;
}

/** Everything that is not as it should be on a subscription. */
export async function findDifferences(db: Queryable, subscriptionId: bigint): Promise<readonly Difference[]> {
  return [
    ...(await findCounterDifferences(db, subscriptionId)),
    ...(await findUnmatchedPostings(db, subscriptionId)),
    ...(await findOversteppedLimits(db, subscriptionId)),
  ];
}

/** Counters against what entries and holds say; the snapshot of one statement sees both at the same instant. */
export async function findCounterDifferences(db: Queryable, subscriptionId: bigint): Promise<readonly Difference[]> {
  return await select(
    db,
    `select 0::bigint as operation_id,
            format('counter of %s: stored %s, recomputed %s', c.name, c.stored, c.recomputed) as description
     from (
       select h.name || ' ' || u.unit as name, u.stored, u.recomputed
       from subscription_interval h
       cross join lateral (
         select coalesce(sum(e.request_units), 0) as request_units,
                coalesce(sum(e.delivered_units), 0) as delivered_units,
                coalesce(sum(e.fresh_evidence_units), 0) as fresh_evidence_units
         from entry e
         where e.subscription_id = $1 and e.settled_at > h.tail_at
       ) r
       cross join lateral (values
         ('request units', h.request_units, r.request_units),
         ('delivered units', h.delivered_units, r.delivered_units),
         ('fresh evidence units', h.fresh_evidence_units, r.fresh_evidence_units)
       ) u (unit, stored, recomputed)
       where h.subscription_id = $1
       union all
       select 'held ' || u.unit, u.stored, u.recomputed
       from subscription s
       cross join lateral (
         select coalesce(sum(request_units), 0) as request_units, coalesce(sum(delivered_units), 0) as delivered_units
         from hold
         where subscription_id = $1 and state = 'held'
       ) r
       cross join lateral (values
         ('request units', s.held_request_units, r.request_units),
         ('delivered units', s.held_delivered_units, r.delivered_units)
       ) u (unit, stored, recomputed)
       where s.id = $1
     ) c
     where c.stored <> c.recomputed
     limit $2`,
    subscriptionId,
  );
}

/** Holds and entries that do not belong together. */
export async function findUnmatchedPostings(db: Queryable, subscriptionId: bigint): Promise<readonly Difference[]> {
  return await select(
    db,
    `select operation_id, description
     from (
       select h.operation_id, format('hold is %s and has no entry', h.state) as description
       from hold h
       where h.subscription_id = $1 and h.state = 'posted'
         and not exists (select 1 from entry e where e.operation_id = h.operation_id)
       union all
       select e.operation_id,
              case
                when h.subscription_id is distinct from $1
                  then format('entry of subscription %s, hold of subscription %s', $1, h.subscription_id)
                when h.state <> case when r.operation_id is null then 'posted' else 'void' end then format('hold is %s and has %s entry', h.state, case when r.operation_id is null then 'an' else 'a reversed' end)
                else format('entry of %s/%s request/delivered units, hold of %s/%s', e.request_units,
                            e.delivered_units, h.request_units, h.delivered_units)
              end
       from entry e
       join hold h on h.operation_id = e.operation_id
       left join reversal r on r.operation_id = e.operation_id
       where e.subscription_id = $1
         and (h.subscription_id is distinct from $1
              or h.state <> case when r.operation_id is null then 'posted' else 'void' end
              or e.request_units > h.request_units or e.delivered_units > h.delivered_units)
       union all
       select r.operation_id,
              format('reversal of %s/%s/%s units at %s, entry of %s/%s/%s at %s', -r.request_units, -r.delivered_units,
                     -r.fresh_evidence_units, r.settled_at, e.request_units, e.delivered_units, e.fresh_evidence_units,
                     e.settled_at)
       from reversal r
       join entry e on e.operation_id = r.operation_id
       where r.subscription_id = $1
         and (e.subscription_id, e.settled_at, e.request_units, e.delivered_units, e.fresh_evidence_units)
             is distinct from (r.subscription_id, r.settled_at, -r.request_units, -r.delivered_units, -r.fresh_evidence_units)
       union all
       select e.operation_id, format('entry at %s, later than the subscription''s last instant %s', e.settled_at, s.last_at)
       from subscription s
       join entry e on e.subscription_id = s.id and e.settled_at > s.last_at
       where s.id = $1
     ) d
     limit $2`,
    subscriptionId,
  );
}

/**
 * Instants of entries at which an interval held more than its limit. Only entries whose hold was admitted under the
 * present numbers are judged, and what was reversed counts in none: what older numbers let through may stand above newer ones.
 */
export async function findOversteppedLimits(db: Queryable, subscriptionId: bigint): Promise<readonly Difference[]> {
  return await select(
    db,
    `select t.operation_id,
            format('%s %s: %s at %s, limit %s', u.name, u.unit, u.total, t.settled_at, u.max) as description
     from (
       select e.operation_id, e.settled_at, h.created_at, e.request_units, e.delivered_units,
              sum(e.request_units) over of_window as window_requests, sum(e.delivered_units) over of_window as window_delivered,
              sum(e.request_units) over of_week as week_requests, sum(e.delivered_units) over of_week as week_delivered,
              sum(e.request_units) over of_period as period_requests, sum(e.delivered_units) over of_period as period_delivered
       from entry e
       join hold h on h.operation_id = e.operation_id
       join subscription s on s.id = e.subscription_id
       where e.subscription_id = $1
         and not exists (select 1 from reversal r where r.operation_id = e.operation_id)
       window of_window as (order by e.settled_at range between
                (select window_seconds * interval '1 second' - interval '1 microsecond'
                 from subscription_limit where subscription_id = $1) preceding and current row),
              of_week as (order by e.settled_at range between
                (604800 * interval '1 second' - interval '1 microsecond') preceding and current row),
              of_period as (partition by period_start(s.period_anchor, e.settled_at) order by e.settled_at)
     ) t
     join subscription s on s.id = $1
     join subscription_limit l on l.subscription_id = s.id
     cross join lateral (values
       ('window', 'request units', t.request_units, t.window_requests, l.window_request_units),
       ('window', 'delivered units', t.delivered_units, t.window_delivered, l.window_delivered_units),
       ('week', 'request units', t.request_units, t.week_requests, l.week_request_units),
       ('week', 'delivered units', t.delivered_units, t.week_delivered, l.week_delivered_units),
       ('period', 'request units', t.request_units, t.period_requests, l.period_request_units),
       ('period', 'delivered units', t.delivered_units, t.period_delivered, l.period_delivered_units)
     ) u (name, unit, own, total, max)
     where t.created_at > s.limits_changed_at and u.own > 0 and u.total > u.max
     limit $2`,
    subscriptionId,
  );
}

async function select(db: Queryable, text: string, subscriptionId: bigint): Promise<readonly Difference[]> {
  const { rows } = await db.query<{ operation_id: bigint; description: string }>(text, [subscriptionId, MAX_LISTED]);
  return rows.map((row) => ({ subscriptionId, operationId: row.operation_id, description: row.description }));
}
