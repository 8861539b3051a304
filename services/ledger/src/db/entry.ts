import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Shortfall } from '../allowance/admission.ts';
import type { RetryTime } from '../allowance/refusal.ts';
import type { Units } from '../allowance/units.ts';
import type { SubscriptionSnapshot } from './balance-snapshot.ts';
import { toUnits, type UnitsRow } from './units.ts';

/** `ordinal`: microseconds after the batch. */
export interface NewEntry {
  readonly operationId: bigint;
  readonly units: Units;
  readonly ordinal: number;
}

export interface Entry {
  readonly operationId: bigint;
  readonly subscriptionId: bigint;
  readonly settledAt: Date;
  readonly units: Units;
  /** A number may be given twice; an identity may not. */
  readonly identity: string;
}

export async function findEntries(db: Queryable, operationIds: readonly bigint[]): Promise<readonly Entry[]> {
  const { rows } = await db.query<EntryRow>(
    `select e.operation_id, e.subscription_id, e.settled_at, e.request_units, e.delivered_units, e.fresh_evidence_units,
       h.operation_identity
     from find_holds($1::bigint[]) h
     cross join lateral find_entry(case when h.state = 'posted' then h.operation_id end, h.created_at) e`,
    [operationIds],
  );
  return rows.map((row) => ({
    operationId: row.operation_id,
    subscriptionId: row.subscription_id,
    settledAt: row.settled_at,
    units: toUnits(row, ''),
    identity: row.operation_identity,
  }));
}

interface EntryRow extends UnitsRow {
  operation_identity: string;
  operation_id: bigint;
  subscription_id: bigint;
  settled_at: Date;
}

/** An estimate during holds is at least this far ahead (gateway/docs/contract.md, Allowance). */
const BLOCKED_SECONDS = 5;

/**
 * Rounded up to a second; exact if nothing is held. By the database's clock, since ledger time is
 * ahead after a backward step.
 */
export async function findRetryTimes(
  db: Queryable,
  { subscriptionId, now, tails, periodEnd, balance }: SubscriptionSnapshot,
  shortfalls: readonly Shortfall[],
): Promise<readonly RetryTime[]> {
  const { rows } = await db.query<{ retry_at: Date; retry_after_seconds: bigint }>({
    name: 'find-retry-times',
    text: FIND_RELIEFS,
    values: [
      subscriptionId,
      now,
      periodEnd,
      shortfalls.map(({ interval }) => interval),
      shortfalls.map(({ unit }) => unit),
      shortfalls.map(({ mustLeave }) => mustLeave),
      shortfalls.map(({ blockedByHolds }) => (blockedByHolds ? BLOCKED_SECONDS : null)),
      shortfalls.map(({ interval }) => tails[interval]),
      shortfalls.map(({ interval }) => balance.intervals[interval].seconds),
    ],
  });
  return rows.map((row, index) => ({
    shortfall: shortfalls[index] as Shortfall,
    retryAt: row.retry_at,
    retryAfterSeconds: row.retry_after_seconds,
  }));
}

const FIND_RELIEFS = `
  with clock as materialized (
    select least($2::timestamptz, clock_timestamp()) as now
  ), shortfall as (
    select *
    from unnest($4::text[], $5::text[], $6::bigint[], $7::integer[], $8::timestamptz[], $9::bigint[]) with ordinality
      as s (name, unit, must_leave, blocked_seconds, tail_at, seconds, ordinal)
  ), retryTime as (
    select s.ordinal,
           to_timestamp(ceil(extract(epoch from greatest(
             case when s.must_leave > 0 and s.name = 'period' then $3::timestamptz else left_at.instant end,
             clock.now + s.blocked_seconds * interval '1 second')))) as retry_at
    from shortfall s
    cross join clock
    left join lateral (
      select f.settled_at + s.seconds * interval '1 second' as instant
      from (
        select e.settled_at,
               sum(case s.unit when 'request' then e.request_units else e.delivered_units end)
                 over (order by e.settled_at) as freed_units
        from entry e
        where e.subscription_id = $1 and e.settled_at > s.tail_at
          and not exists (select 1 from reversal r where r.operation_id = e.operation_id)
      ) f
      where s.must_leave > 0 and s.name <> 'period' and f.freed_units >= s.must_leave
      order by f.settled_at
      limit 1
    ) left_at on true
  )
  select retry_at, ceil(extract(epoch from retry_at - clock.now))::bigint as retry_after_seconds
  from retryTime cross join clock
  order by ordinal`;
