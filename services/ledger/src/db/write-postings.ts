import type { Queryable } from '@ces/chassis/postgres/pool';
import { type BalanceSnapshot, INTERVALS } from '../allowance/balance-snapshot.ts';
import { plus } from '../allowance/units.ts';
import type { SubscriptionSnapshot } from './balance-snapshot.ts';
import type { NewEntry } from './entry.ts';
import type { HoldClosing, NewHold } from './hold.ts';

export interface WrittenPostings {
  readonly holds: readonly NewHold[];
  readonly closings: readonly HoldClosing[];
  readonly entries: readonly NewEntry[];
  readonly balance: BalanceSnapshot;
  readonly lastOrdinal: number;
}

export const NO_POSTINGS = { holds: [], closings: [], entries: [], lastOrdinal: 0 } as const;

/**
 * One statement, because others wait for the lock, which the caller holds. Fails if another
 * transaction wrote an operation first (`isOperationTaken`) or a hold is not held.
 */
export async function writePostings(
  db: Queryable,
  subscription: SubscriptionSnapshot,
  written: WrittenPostings,
): Promise<void> {
  const { holds, closings, entries } = written;
  const parts = [
    ...(holds.length > 0 ? [holdPart(holds)] : []),
    ...(closings.length > 0 ? [closingPart(closings)] : []),
    ...(entries.length > 0 ? [entryPart(entries, holds.length > 0)] : []),
  ];
  const values = snapshotValues(subscription, written);
  const ctes = parts.map(({ sql, columns }) => {
    const first = values.length;
    values.push(...columns);
    return sql(columns.map((_, index) => `$${first + 1 + index}`));
  });
  const clause = ctes.length > 0 ? `with ${ctes.join(', ')}` : '';
  const ended = closings.length > 0 ? 'returning (select closed from closings)' : '';
  await db.query(`${clause} ${WRITE_SNAPSHOT} ${ended}`, values);
}

interface Part {
  readonly columns: readonly unknown[];
  readonly sql: (parameters: readonly string[]) => string;
}

type Columns = readonly (readonly unknown[])[];

/** Nearly always one row: scalars avoid parsing arrays. */
function parametersOf(columns: Columns): readonly unknown[] {
  return columns[0]?.length === 1 ? columns.map(([value]) => value) : columns;
}

function rowsOf(columns: Columns, types: readonly string[], parameters: readonly string[]): string {
  const isOne = columns[0]?.length === 1;
  const cast = parameters.map((parameter, index) => `${parameter}::${types[index]}${isOne ? '' : '[]'}`).join(', ');
  return isOne ? `(values (${cast}))` : `unnest(${cast})`;
}

function holdPart(holds: readonly NewHold[]): Part {
  const columns = [
    holds.map((hold) => hold.operationId),
    holds.map((hold) => hold.state),
    holds.map((hold) => hold.units.requestUnits),
    holds.map((hold) => hold.units.deliveredUnits),
    holds.map((hold) => hold.ordinal),
    holds.map((hold) => hold.identity),
  ];
  const types = ['bigint', 'text', 'bigint', 'bigint', 'integer', 'uuid'];
  return {
    columns: parametersOf(columns),
    sql: (parameters) => `opened as (
      insert into hold (operation_id, operation_identity, subscription_id, state, request_units, delivered_units,
                        created_at)
      select h.operation_id, h.identity, $1, h.state, h.request_units, h.delivered_units,
             $2::timestamptz + h.ordinal * interval '1 microsecond'
      from ${rowsOf(columns, types, parameters)}
        as h (operation_id, state, request_units, delivered_units, ordinal, identity)
      returning 1)`,
  };
}

function closingPart(closings: readonly HoldClosing[]): Part {
  return {
    columns: [closings.map((closing) => closing.operationId), closings.map((closing) => closing.state)],
    sql: ([operationIds, states]) =>
      `closings as (select end_holds(${operationIds}::bigint[], ${states}::text[]) as closed)`,
  };
}

/** A trigger looks for the hold, so new holds come first. */
function entryPart(entries: readonly NewEntry[], opensHolds: boolean): Part {
  const columns = [
    entries.map((entry) => entry.operationId),
    entries.map((entry) => entry.ordinal),
    entries.map(({ units }) => units.requestUnits),
    entries.map(({ units }) => units.deliveredUnits),
    entries.map(({ units }) => units.freshEvidenceUnits),
  ];
  const types = ['bigint', 'integer', 'bigint', 'bigint', 'bigint'];
  return {
    columns: parametersOf(columns),
    sql: (parameters) => `settled as (
      insert into entry (operation_id, subscription_id, settled_at, request_units, delivered_units, fresh_evidence_units)
      select e.operation_id, $1, $2::timestamptz + e.ordinal * interval '1 microsecond',
             e.request_units, e.delivered_units, e.fresh_evidence_units
      from ${rowsOf(columns, types, parameters)}
        as e (operation_id, ordinal, request_units, delivered_units, fresh_evidence_units)
      ${opensHolds ? 'where (select count(*) from opened) > 0' : ''})`,
  };
}

function snapshotValues(
  { subscriptionId, now, tails, reversed }: SubscriptionSnapshot,
  { balance: { intervals, held }, lastOrdinal }: WrittenPostings,
): unknown[] {
  const counters = INTERVALS.flatMap((name) => {
    const { requestUnits, deliveredUnits, freshEvidenceUnits } = plus(intervals[name].settled, reversed[name]);
    return [tails[name], requestUnits, deliveredUnits, freshEvidenceUnits];
  });
  return [subscriptionId, now, lastOrdinal, held.requestUnits, held.deliveredUnits, ...counters];
}

const WRITE_SNAPSHOT = `
  update subscription
  set last_at = $2::timestamptz + $3 * interval '1 microsecond',
      held_request_units = $4,
      held_delivered_units = $5,
      window_tail_at = $6,
      window_request_units = $7,
      window_delivered_units = $8,
      window_fresh_evidence_units = $9,
      week_tail_at = $10,
      week_request_units = $11,
      week_delivered_units = $12,
      week_fresh_evidence_units = $13,
      period_tail_at = $14,
      period_request_units = $15,
      period_delivered_units = $16,
      period_fresh_evidence_units = $17
  where id = $1`;
