import type { Queryable } from '@ces/chassis/postgres/pool';
import type { HoldState } from '../allowance/posting.ts';
import type { Amount, Units } from '../allowance/units.ts';
import { type AmountRow, toAmount, toUnits, type UnitsRow } from './units.ts';

export interface PostingRow {
  readonly operationId: bigint;
  readonly identity: string;
  readonly subscriptionId: bigint | undefined;
  readonly state: HoldState;
  readonly units: Amount;
  readonly createdAt: Date;
  readonly entry: { readonly settledAt: Date; readonly units: Units } | undefined;
  readonly reversal?: { readonly reversedAt: Date; readonly reason: string } | undefined;
}

/**
 * Lists by operation id, without holds whose entry is gone. Reads a page's entries together, so
 * that partitions are pruned (decision 0013).
 */
export async function listPostings(
  db: Queryable,
  afterOperationId: bigint,
  limit: number,
): Promise<readonly PostingRow[]> {
  const { rows } = await db.query<Row>(
    `with page as materialized (
       select *
       from hold h
       where h.operation_id > $1
         and (h.state <> 'posted' or h.created_at >= (select pruned_before from pruning)
              or exists (select from find_entry(h.operation_id, h.created_at)))
       order by h.operation_id
       limit $2
     ), settled as materialized (
       select distinct on (e.operation_id) e.*
       from find_entries((select array_agg(operation_id) from page), (select min(created_at) from page),
              (select max(created_at) + interval '2 days' from page)) e
       join page h on h.operation_id = e.operation_id and e.settled_at >= h.created_at
         and (h.state = 'posted' or e.settled_at < h.created_at + interval '2 days')
       order by e.operation_id
     ), later as (
       select e.*
       from page h
       cross join lateral find_entry(h.operation_id, h.created_at) e
       where h.state = 'posted' and not exists (select from settled s where s.operation_id = h.operation_id)
     )
     select h.operation_id, h.operation_identity, h.subscription_id, h.state, h.request_units, h.delivered_units,
            h.created_at, e.settled_at, e.request_units as settled_request_units, e.delivered_units as settled_delivered_units,
            e.fresh_evidence_units as settled_fresh_evidence_units, r.reversed_at, r.reason
     from page h
     left join (select * from settled union all select * from later) e on e.operation_id = h.operation_id
     left join reversal r on r.operation_id = h.operation_id and r.operation_id > $1
     order by h.operation_id`,
    [afterOperationId, limit],
  );
  return rows.map(toPosting);
}

/** Lists holds from before `olderThan`, or all, oldest first. */
export async function listOldHolds(
  db: Queryable,
  olderThan: Date | undefined,
  limit: number,
): Promise<readonly PostingRow[]> {
  const { rows } = await db.query<Row>(
    `select h.operation_id, h.operation_identity, h.subscription_id, h.state, h.request_units, h.delivered_units, h.created_at,
            null as settled_at, null as reversed_at
     from open_hold o
     join hold h on h.operation_id = o.operation_id
     where o.created_at < coalesce($1, 'infinity'::timestamptz)
     order by o.created_at
     limit $2`,
    [olderThan ?? null, limit],
  );
  return rows.map(toPosting);
}

interface Row extends AmountRow, UnitsRow<'settled_'> {
  operation_id: bigint;
  operation_identity: string;
  subscription_id: bigint | null;
  state: HoldState;
  created_at: Date;
  settled_at: Date | null;
  reversed_at: Date | null;
  reason: string;
}

function toPosting(row: Row): PostingRow {
  return {
    operationId: row.operation_id,
    identity: row.operation_identity,
    subscriptionId: row.subscription_id ?? undefined,
    state: row.state,
    units: toAmount(row),
    createdAt: row.created_at,
    entry: row.settled_at === null ? undefined : { settledAt: row.settled_at, units: toUnits(row, 'settled_') },
    reversal: row.reversed_at === null ? undefined : { reversedAt: row.reversed_at, reason: row.reason },
  };
}
