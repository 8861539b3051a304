import type { Queryable } from '@ces/chassis/postgres/pool';
import { EVERYTHING, findNextEntries, type Range } from './range.ts';

/** One thing that is not as it should be. */
export interface Difference {
  readonly subscriptionId: bigint;
  /** 0 when it is not about one operation. */
  readonly operationId: bigint;
  readonly description: string;
}

/** Differences listed of one kind for one subscription, at most. */
const MAX_LISTED = 100;
/** Entries that one statement compares. */
export const ENTRIES_A_STEP = 1_024;

/** Subscriptions by id above `afterId`. */
export async function listForVerification(db: Queryable, afterId: bigint, limit: number): Promise<readonly bigint[]> {
  const { rows } = await db.query<{ id: bigint }>('select id from subscription where id > $1 order by id limit $2', [
    afterId,
    limit,
  ]);
  return rows.map(({ id }) => id);
}

export async function countPostings(
  db: Queryable,
  subscriptionId: bigint,
): Promise<{ entries: bigint; holds: bigint }> {
  const { rows } = await db.query<{ entries: bigint; holds: bigint }>(
    `select (select count(*) from entry where subscription_id = $1) as entries,
            (select count(*) from hold where subscription_id = $1) as holds`,
    [subscriptionId],
  );
  return rows[0] ?? { entries: 0n, holds: 0n };
}

/** Everything that is not as it should be on a subscription, in steps of bounded length. */
export async function findDifferences(db: Queryable, subscriptionId: bigint): Promise<readonly Difference[]> {
  const found = [...(await findCounterDifferences(db, subscriptionId))];
  for await (const range of rangesOf(db, subscriptionId))
    for (const find of [findWrongTotals, findUnmatchedPostings, findOversteppedLimits])
      found.push(...(await find(db, subscriptionId, range)));
  return found;
}

/** All that a subscription has, some of its entries at a time; the last range has no end. */
async function* rangesOf(db: Queryable, subscriptionId: bigint): AsyncGenerator<Range> {
  let after = EVERYTHING.after;
  for (;;) {
    const next = await findNextEntries(db, subscriptionId, after, ENTRIES_A_STEP);
    if (!next || next.entries < ENTRIES_A_STEP) break;
    yield next;
    after = next.until;
  }
  yield { after, until: EVERYTHING.until };
}

/** The counters of a subscription against what entries and holds say. */
export async function findCounterDifferences(db: Queryable, subscriptionId: bigint): Promise<readonly Difference[]> {
  return [
    ...(await findSettledDifferences(db, [subscriptionId])),
    ...(await findHeldDifferences(db, [subscriptionId])),
  ];
}

/** Counters of what is settled; the snapshot of one statement sees counters and entries at the same instant. */
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

/** Counters of what is held. */
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

/** Entries of a range, and holds that were taken in it, that do not belong together. */
export async function findUnmatchedPostings(
  db: Queryable,
  subscriptionId: bigint,
  range: Range = EVERYTHING,
): Promise<readonly Difference[]> {
  return [
    ...(await findUnmatchedHolds(db, subscriptionId, range)),
    ...(await findUnmatchedEntries(db, subscriptionId, range)),
  ];
}

async function findUnmatchedHolds(db: Queryable, subscriptionId: bigint, range: Range): Promise<readonly Difference[]> {
  return await select(
    db,
    subscriptionId,
    range,
    'unmatched-holds',
    `select h.operation_id,
            case h.state when 'posted' then format('hold is %s and has no entry', h.state)
            else format('hold is %s and not among those that are open', h.state) end as description
     from hold h
     where h.subscription_id = $1 and h.created_at > $3 and h.created_at <= $4
       and (h.state = 'posted' and h.created_at >= (select pruned_before from pruning) and not exists (
              select from entry e where e.operation_id = h.operation_id and e.settled_at >= h.created_at)
            or h.state = 'held' and not exists (select from open_hold o where o.operation_id = h.operation_id))
     limit $2`,
  );
}

/** Entries of a range that have no hold that they belong to, and reversals of entries of the range that are not theirs. */
export async function findUnmatchedEntries(
  db: Queryable,
  subscriptionId: bigint,
  range: Range,
): Promise<readonly Difference[]> {
  return await select(
    db,
    subscriptionId,
    range,
    'unmatched-entries',
    `select operation_id, description
     from (
       select e.operation_id,
              case
                when h.operation_id is null then 'entry has no hold'
                when h.subscription_id is distinct from $1
                  then format('entry of subscription %s, hold of subscription %s', $1, h.subscription_id)
                when h.state <> case when r.operation_id is null then 'posted' else 'void' end
                  then format('hold is %s and has %s entry', h.state,
                              case when r.operation_id is null then 'an' else 'a reversed' end)
                else format('entry of %s/%s request/delivered units, hold of %s/%s', e.request_units,
                            e.delivered_units, h.request_units, h.delivered_units)
              end as description
       from entry e
       left join hold h on h.operation_id = e.operation_id
       left join reversal r on r.operation_id = e.operation_id
       where e.subscription_id = $1 and e.settled_at > $3 and e.settled_at <= $4
         and (h.subscription_id is distinct from $1
              or h.state <> case when r.operation_id is null then 'posted' else 'void' end
              or e.request_units > h.request_units or e.delivered_units > h.delivered_units)
       union all
       select r.operation_id,
              format('reversal of %s/%s/%s units at %s, entry of %s/%s/%s at %s', -r.request_units, -r.delivered_units,
                     -r.fresh_evidence_units, r.settled_at, e.request_units, e.delivered_units, e.fresh_evidence_units,
                     e.settled_at)
       from reversal r
       left join entry e on e.subscription_id = r.subscription_id and e.settled_at = r.settled_at
         and e.settled_at > $3 and e.settled_at <= $4
       where r.subscription_id = $1 and r.settled_at > $3 and r.settled_at <= $4
         and (e.operation_id, e.request_units, e.delivered_units, e.fresh_evidence_units)
             is distinct from (r.operation_id, -r.request_units, -r.delivered_units, -r.fresh_evidence_units)
     ) d
     limit $2`,
  );
}

/** Totals of a range that are not what the entries since the total before them add up to. */
export async function findWrongTotals(
  db: Queryable,
  subscriptionId: bigint,
  range: Range = EVERYTHING,
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
       where e.subscription_id = $1 and e.settled_at > t.after_at and e.settled_at <= t.settled_at
     ) s
     where (t.entries, t.request_units, t.delivered_units, t.fresh_evidence_units)
           <> (s.entries, s.request_units, s.delivered_units, s.fresh_evidence_units)
     limit $2`,
  );
}

/**
 * Instants of entries of a range at which an interval held more than its limit. Only entries whose hold was admitted under the
 * present numbers are judged, and what was reversed counts in none: what older numbers let through may stand above newer ones.
 * What an interval held at one instant is asked only where all that it held during the range is above the limit.
 */
export async function findOversteppedLimits(
  db: Queryable,
  subscriptionId: bigint,
  range: Range = EVERYTHING,
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
       where e.subscription_id = $1 and e.settled_at <= $4
         and e.settled_at > greatest($3, (select limits_changed_at from payer))
     ), full_interval as materialized (
       select i.name, i.seconds, i.request_limit, i.delivered_limit
       from payer p
       join (select min(settled_at) as first_at, max(settled_at) as last_at from judged) j on j.first_at is not null
       cross join lateral (values
         ('window', p.window_seconds, p.window_request_units, p.window_delivered_units),
         ('week', 604800, p.week_request_units, p.week_delivered_units),
         ('period', null, p.period_request_units, p.period_delivered_units)
       ) i (name, seconds, request_limit, delivered_limit)
       cross join lateral units_between($1, coalesce(j.first_at - i.seconds * interval '1 second',
         period_start(p.period_anchor, j.first_at) - interval '1 microsecond'), j.last_at) u
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
       and exists (select from hold h where h.operation_id = j.operation_id and h.created_at > p.limits_changed_at)
     order by j.settled_at
     limit $2`,
  );
}

interface DifferenceRow {
  operation_id: bigint;
  description: string;
}

async function selectOf(
  db: Queryable,
  subscriptionIds: readonly bigint[],
  name: string,
  text: string,
): Promise<readonly Difference[]> {
  if (subscriptionIds.length === 0) return [];
  const values = [subscriptionIds, MAX_LISTED];
  const { rows } = await db.query<DifferenceRow & { subscription_id: bigint }>({ name, text, values });
  return rows.map((row) => ({
    subscriptionId: row.subscription_id,
    operationId: row.operation_id,
    description: row.description,
  }));
}

async function select(
  db: Queryable,
  subscriptionId: bigint,
  { after, until }: Range,
  name: string,
  text: string,
): Promise<readonly Difference[]> {
  const values = [subscriptionId, MAX_LISTED, after, until];
  const { rows } = await db.query<DifferenceRow>({ name, text, values });
  return rows.map((row) => ({ subscriptionId, operationId: row.operation_id, description: row.description }));
}
