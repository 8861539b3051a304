import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Hold, HoldState } from '../allowance/posting.ts';
import type { Refusal } from '../allowance/refusal.ts';
import type { Amount } from '../allowance/units.ts';

/** A hold to insert; `ordinal` counts microseconds after the instant of its batch. */
export interface NewHold {
  readonly operationId: bigint;
  readonly state: 'held' | 'posted';
  readonly units: Amount;
  readonly ordinal: number;
}

export interface NewTombstone {
  readonly operationId: bigint;
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
      select operation_id, subscription_id, state, request_units, delivered_units, refusal_code, refusal_message,
             retry_at, retry_after_seconds, admissible_delivered_units
      from hold
      where operation_id = any($1::bigint[])`,
    values: [operationIds],
  });
  return new Map(rows.map((row) => [row.operation_id, toHold(row)]));
}

/** Violates `hold_pkey` when another transaction was first with one of the operations. */
export async function insertHolds(
  db: Queryable,
  subscriptionId: bigint,
  now: string,
  holds: readonly NewHold[],
): Promise<void> {
  await db.query({
    name: 'insert-holds',
    text: `
      insert into hold (operation_id, subscription_id, state, request_units, delivered_units, created_at)
      select h.operation_id, $1, h.state, h.request_units, h.delivered_units,
             $2::timestamptz + h.ordinal * interval '1 microsecond'
      from unnest($3::bigint[], $4::text[], $5::bigint[], $6::bigint[], $7::integer[])
        as h (operation_id, state, request_units, delivered_units, ordinal)`,
    values: [
      subscriptionId,
      now,
      holds.map((hold) => hold.operationId),
      holds.map((hold) => hold.state),
      holds.map((hold) => hold.units.requestUnits),
      holds.map((hold) => hold.units.deliveredUnits),
      holds.map((hold) => hold.ordinal),
    ],
  });
}

/** Ends holds that are held; returns how many were. */
export async function closeHolds(
  db: Queryable,
  closings: readonly { readonly operationId: bigint; readonly state: 'posted' | 'void' }[],
): Promise<number> {
  const { rowCount } = await db.query({
    name: 'close-holds',
    text: `
      update hold
      set state = c.state
      from unnest($1::bigint[], $2::text[]) as c (operation_id, state)
      where hold.operation_id = c.operation_id and hold.state = 'held'`,
    values: [closings.map((closing) => closing.operationId), closings.map((closing) => closing.state)],
  });
  return rowCount ?? 0;
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
      insert into hold (operation_id, subscription_id, state, request_units, delivered_units, created_at, refusal_code,
                        refusal_message, retry_at, retry_after_seconds, admissible_delivered_units)
      select t.operation_id, $1, 'refused', t.request_units, t.delivered_units,
             $2::timestamptz + t.ordinal * interval '1 microsecond', t.refusal_code, t.refusal_message, t.retry_at,
             t.retry_after_seconds, t.admissible_delivered_units
      from unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::integer[], $7::text[], $8::text[], $9::timestamptz[],
                  $10::bigint[], $11::bigint[])
        as t (operation_id, request_units, delivered_units, ordinal, refusal_code, refusal_message, retry_at,
              retry_after_seconds, admissible_delivered_units)`,
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
    ],
  });
}

/** Leaves a tombstone that names no subscription, unless the operation has a row by now; returns the row that stands. */
export async function leaveTombstone(
  db: Queryable,
  operationId: bigint,
  units: Amount,
  refusal: Refusal,
): Promise<Hold> {
  await db.query({
    name: 'leave-tombstone',
    text: `
      insert into hold (operation_id, state, request_units, delivered_units, refusal_code, refusal_message,
                        admissible_delivered_units)
      values ($1, 'refused', $2, $3, $4, $5, $6)
      on conflict (operation_id) do nothing`,
    values: [
      operationId,
      units.requestUnits,
      units.deliveredUnits,
      refusal.code,
      refusal.message,
      refusal.admissibleDeliveredUnits,
    ],
  });
  const hold = await findHold(db, operationId);
  if (!hold) throw new Error(`operation ${operationId}: its tombstone is gone`);
  return hold;
}

/** Age of the oldest units that are held, in seconds; 0 when none are. */
export async function readOldestHold(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ seconds: number }>(
    `select coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as seconds
     from hold where state = 'held'`,
  );
  return rows[0]?.seconds ?? 0;
}

interface HoldRow {
  operation_id: bigint;
  subscription_id: bigint | null;
  state: HoldState;
  request_units: bigint;
  delivered_units: bigint;
  refusal_code: Refusal['code'] | null;
  refusal_message: string | null;
  retry_at: Date | null;
  retry_after_seconds: bigint | null;
  admissible_delivered_units: bigint | null;
}

function toHold(row: HoldRow): Hold {
  return {
    operationId: row.operation_id,
    subscriptionId: row.subscription_id ?? undefined,
    state: row.state,
    units: { requestUnits: row.request_units, deliveredUnits: row.delivered_units },
    refusal: row.refusal_code === null ? undefined : toRefusal(row, row.refusal_code),
  };
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
