import { type Queryable, violatedConstraint } from '@ces/chassis/postgres/pool';
import type { Hold, HoldState } from '../allowance/posting.ts';
import type { Refusal } from '../allowance/refusal.ts';
import type { Amount, Units } from '../allowance/units.ts';
import { type AmountRow, toAmount } from './units.ts';

export interface NewHold {
  readonly operationId: bigint;
  readonly identity: string;
  readonly state: 'held' | 'posted';
  readonly units: Amount;
  readonly ordinal: number;
}

export interface HoldClosing {
  readonly operationId: bigint;
  readonly state: 'posted' | 'void';
}

export interface NewTombstone {
  readonly operationId: bigint;
  readonly identity: string;
  readonly units: Amount;
  readonly refusal: Refusal;
  readonly ordinal: number;
}

async function findHold(db: Queryable, operationId: bigint): Promise<Hold | undefined> {
  return (await readHolds(db, [operationId])).get(operationId);
}

export async function readHolds(db: Queryable, operationIds: readonly bigint[]): Promise<ReadonlyMap<bigint, Hold>> {
  const { rows } = await db.query<HoldRow>({
    name: 'read-holds',
    text: `
      select h.operation_id, h.operation_identity, h.subscription_id, h.state, h.request_units, h.delivered_units,
             h.refusal_code, h.refusal_message, h.retry_at, h.retry_after_seconds, h.admissible_delivered_units,
             e.request_units as settled_request_units, e.delivered_units as settled_delivered_units,
             e.fresh_evidence_units as settled_fresh_evidence_units
      from hold h
      left join lateral find_entry(case when h.state = 'posted' then h.operation_id end, h.created_at) e on true
      where h.operation_id = any($1::bigint[]) and h.operation_id between $2 and $3`,
    values: [operationIds, ...boundsOf(operationIds)],
  });
  return new Map(rows.map((row) => [row.operation_id, toHold(row)]));
}

function boundsOf(operationIds: readonly bigint[]): readonly [bigint, bigint] {
  let [lowest = 0n, highest = 0n] = [operationIds[0], operationIds[0]];
  for (const id of operationIds) {
    if (id < lowest) lowest = id;
    if (id > highest) highest = id;
  }
  return [lowest, highest];
}

/** The primary key of a partition is violated. */
export function isOperationTaken(error: unknown): boolean {
  return /^hold_(?:\w+_)?pkey$/.test(violatedConstraint(error) ?? '');
}

export async function insertTombstones(
  db: Queryable,
  subscriptionId: bigint,
  now: string,
  tombstones: readonly NewTombstone[],
): Promise<void> {
  await db.query({
    name: 'insert-tombstones',
    text: `
      insert into hold (operation_id, operation_identity, subscription_id, state, request_units, delivered_units,
                        created_at, refusal_code, refusal_message, retry_at, retry_after_seconds,
                        admissible_delivered_units)
      select t.operation_id, t.identity, $1, 'refused', t.request_units, t.delivered_units,
             $2::timestamptz + t.ordinal * interval '1 microsecond', t.refusal_code, t.refusal_message, t.retry_at,
             t.retry_after_seconds, t.admissible_delivered_units
      from unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::integer[], $7::text[], $8::text[], $9::timestamptz[],
                  $10::bigint[], $11::bigint[], $12::uuid[])
        as t (operation_id, request_units, delivered_units, ordinal, refusal_code, refusal_message, retry_at,
              retry_after_seconds, admissible_delivered_units, identity)`,
    values: [
      subscriptionId,
      now,
      tombstones.map((tombstone) => tombstone.operationId),
      tombstones.map((tombstone) => tombstone.units.requestUnits),
      tombstones.map((tombstone) => tombstone.units.deliveredUnits),
      tombstones.map((tombstone) => tombstone.ordinal),
      tombstones.map(({ refusal }) => refusal.code),
      tombstones.map(({ refusal }) => refusal.message),
      tombstones.map(({ refusal }) => refusal.retryAt),
      tombstones.map(({ refusal }) => refusal.retryAfterSeconds),
      tombstones.map(({ refusal }) => refusal.admissibleDeliveredUnits),
      tombstones.map((tombstone) => tombstone.identity),
    ],
  });
}

/** Unless the operation has a row. Returns the row that exists then. */
export async function leaveTombstone(
  db: Queryable,
  { operationId, identity }: Pick<Hold, 'operationId' | 'identity'>,
  units: Amount,
  refusal: Refusal,
): Promise<Hold> {
  await db.query({
    name: 'leave-tombstone',
    text: `
      insert into hold (operation_id, operation_identity, state, request_units, delivered_units, refusal_code,
                        refusal_message, admissible_delivered_units)
      values ($1, $7, 'refused', $2, $3, $4, $5, $6)
      on conflict (operation_id) do nothing`,
    values: [
      operationId,
      units.requestUnits,
      units.deliveredUnits,
      refusal.code,
      refusal.message,
      refusal.admissibleDeliveredUnits,
      identity,
    ],
  });
  const hold = await findHold(db, operationId);
  if (!hold) throw new Error(`operation ${operationId}: its tombstone is gone`);
  return hold;
}

/** Includes deleted refusals; 0 without operations. */
export async function readHighestOperationId(db: Queryable): Promise<bigint> {
  const { rows } = await db.query<{ id: bigint }>(
    'select greatest(highest_hold(), (select operation_id from deleted_refusal)) as id',
  );
  return rows[0]?.id ?? 0n;
}

/** The age in seconds; 0 if none is open. */
export async function readOldestHold(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ seconds: number }>(
    `select coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as seconds
     from open_hold`,
  );
  return rows[0]?.seconds ?? 0;
}

interface HoldRow extends AmountRow {
  operation_id: bigint;
  operation_identity: string;
  subscription_id: bigint | null;
  state: HoldState;
  settled_request_units: bigint | null;
  settled_delivered_units: bigint | null;
  settled_fresh_evidence_units: bigint | null;
  refusal_code: Refusal['code'] | null;
  refusal_message: string | null;
  retry_at: Date | null;
  retry_after_seconds: bigint | null;
  admissible_delivered_units: bigint | null;
}

function toHold(row: HoldRow): Hold {
  return {
    operationId: row.operation_id,
    identity: row.operation_identity,
    subscriptionId: row.subscription_id ?? undefined,
    state: row.state,
    units: toAmount(row),
    settledUnits: toSettledUnits(row),
    refusal: row.refusal_code === null ? undefined : toRefusal(row, row.refusal_code),
  };
}

function toSettledUnits({
  settled_request_units: requestUnits,
  settled_delivered_units: deliveredUnits,
  settled_fresh_evidence_units: freshEvidenceUnits,
}: HoldRow): Units | undefined {
  if (requestUnits === null || deliveredUnits === null || freshEvidenceUnits === null) return undefined;
  return { requestUnits, deliveredUnits, freshEvidenceUnits };
}

function toRefusal(row: HoldRow, code: Refusal['code']): Refusal {
  return {
    code,
    message: row.refusal_message ?? '',
    admissibleDeliveredUnits: row.admissible_delivered_units ?? 0n,
    ...(row.retry_at !== null && { retryAt: row.retry_at }),
    ...(row.retry_after_seconds !== null && { retryAfterSeconds: row.retry_after_seconds }),
  };
}
