import type { Queryable } from '@ces/chassis/postgres/pool';

export interface NewReversal {
  readonly operationId: bigint;
  readonly caller: string;
  readonly reason: string;
}

/** Call it under the subscription's lock. False if the hold is not posted. */
export async function insertReversal(
  db: Queryable,
  { operationId, caller, reason }: NewReversal,
  now: string,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `with voided as (
       update hold set state = 'void' where operation_id = $1 and state = 'posted' returning operation_id, created_at
     )
     insert into reversal (operation_id, subscription_id, settled_at, reversed_at, request_units, delivered_units,
                           fresh_evidence_units, caller, reason)
     select e.operation_id, e.subscription_id, e.settled_at, $2, -e.request_units, -e.delivered_units,
            -e.fresh_evidence_units, $3, $4
     from voided
     cross join lateral find_entry(voided.operation_id, voided.created_at) e`,
    [operationId, now, caller, reason],
  );
  return rowCount === 1;
}

export async function isReversed(db: Queryable, operationId: bigint): Promise<boolean> {
  const { rows } = await db.query('select 1 from reversal where operation_id = $1', [operationId]);
  return rows.length > 0;
}
