import type { Queryable } from '@ces/chassis/postgres/pool';
import { ALL_TIME, type Range } from '../range.ts';
import { type Difference, select } from './difference.ts';

export async function findUnmatchedPostings(
  db: Queryable,
  subscriptionId: bigint,
  range: Range = ALL_TIME,
): Promise<readonly Difference[]> {
  return [
    ...(await findUnmatchedHolds(db, subscriptionId, range)),
    ...(await findUnmatchedEntries(db, subscriptionId, range)),
  ];
}

/** Nearly all have an entry within the next hour, so this reads them together. */
export const SETTLED_SOON = `
  select operation_id
  from find_entries((select array_agg(operation_id) from posted), (select min(created_at) from posted),
    (select max(created_at) + interval '1 hour' from posted))`;

export const HAS_NO_ENTRY = `
  operation_id not in (select operation_id from settled) and not exists (select from find_entry(operation_id, created_at))`;

async function findUnmatchedHolds(db: Queryable, subscriptionId: bigint, range: Range): Promise<readonly Difference[]> {
  return await select(
    db,
    subscriptionId,
    range,
    'unmatched-holds',
    `with taken as materialized (
       select operation_id, state, created_at
       from hold
       where subscription_id = $1 and created_at > $3 and created_at <= $4
     ), posted as materialized (
       select operation_id, created_at
       from taken
       where state = 'posted' and created_at >= (select pruned_before from pruning)
     ), settled as materialized (${SETTLED_SOON})
     select operation_id, 'hold is posted and has no entry' as description
     from posted
     where ${HAS_NO_ENTRY}
     union all
     select operation_id, 'hold is held and not among those that are open'
     from taken t
     where state = 'held' and not exists (select from open_hold o where o.operation_id = t.operation_id)
     limit $2`,
  );
}

/**
 * Finds also reversals that differ from their entry. Postgres never runs a full join as a nested
 * loop, so a wrong row estimate does no harm.
 */
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
    `with own as materialized (
       select operation_id, request_units, delivered_units
       from entry
       where subscription_id = $1 and settled_at > $3 and settled_at <= $4
     ), taken as materialized (
       select * from find_holds((select array_agg(operation_id) from own))
     )
     select operation_id, description
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
       from own e
       full join taken h on h.operation_id = e.operation_id
       left join reversal r on r.operation_id = e.operation_id
       where (h.subscription_id is distinct from $1
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
