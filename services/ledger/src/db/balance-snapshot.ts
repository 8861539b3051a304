import type { Queryable } from '@ces/chassis/postgres/pool';
import type { AllowanceInterval, BalanceSnapshot, IntervalBalance } from '../allowance/balance-snapshot.ts';
import { negative, plus, type Units } from '../allowance/units.ts';
import { type Micros, secondsOf, toMicros } from './instant.ts';
import { toUnits, type UnitsRow } from './units.ts';

/** Texts, because a Date would lose microseconds. */
export interface SubscriptionSnapshot {
  readonly subscriptionId: bigint;
  readonly accountId: bigint;
  readonly plan: string;
  readonly status: string;
  /** Later than every entry and hold of the subscription. */
  readonly now: string;
  readonly periodStart: Date;
  readonly periodEnd: Date;
  /** In microseconds; the end is exclusive. */
  readonly periodBounds: { readonly start: Micros; readonly end: Micros };
  /** Entries up to these have left the interval. */
  readonly tails: Readonly<Record<AllowanceInterval, string>>;
  /** The stored counters include reversed entries; `balance` does not. */
  readonly reversed: Readonly<Record<AllowanceInterval, Units>>;
  readonly balance: BalanceSnapshot;
}

export async function lockSubscription(db: Queryable, subscriptionId: bigint): Promise<void> {
  await db.query({
    name: 'lock-subscription',
    text: 'select 1 from subscription where id = $1 for no key update',
    values: [subscriptionId],
  });
}

/**
 * Reads without writing: subtracts entries that have left since a counter's tail, or adds them if
 * the window grew. It must follow the lock, because a statement's clock and snapshot date from its
 * start.
 */
export async function readSnapshot(db: Queryable, subscriptionId: bigint): Promise<SubscriptionSnapshot | undefined> {
  const { rows } = await db.query<IntervalRow>({ name: 'read-balance', text: READ_SNAPSHOT, values: [subscriptionId] });
  const [first] = rows;
  if (!first) return undefined;
  const byName = <T>(pick: (row: IntervalRow) => T) =>
    Object.fromEntries(rows.map((row) => [row.name, pick(row)])) as Record<AllowanceInterval, T>;
  return {
    subscriptionId,
    accountId: first.account_id,
    plan: first.plan,
    status: first.status,
    now: first.now,
    periodStart: first.period_start,
    periodEnd: first.period_end,
    periodBounds: { start: toMicros(first.period_start_seconds), end: toMicros(first.period_end_seconds) },
    tails: byName((row) => row.tail_at),
    reversed: byName((row) => toUnits(row, 'reversed_')),
    balance: {
      intervals: byName(toIntervalBalance),
      held: {
        requestUnits: first.held_request_units,
        deliveredUnits: first.held_delivered_units,
        freshEvidenceUnits: 0n,
      },
    },
  };
}

const READ_SNAPSHOT = `
  with instant as materialized (
    select id, account_id, plan, status, period_anchor, held_request_units, held_delivered_units,
           greatest(clock_timestamp(), last_at + interval '1 microsecond') as now
    from subscription
    where id = $1
  ), numbered as materialized (
    select i.*, period_number(i.period_anchor, i.now) as period
    from instant i
  ), current as materialized (
    select n.*, period_boundary(n.period_anchor, n.period) as period_start,
           period_boundary(n.period_anchor, n.period + 1) as period_end
    from numbered n
  )
  select c.account_id, c.plan, c.status, c.held_request_units, c.held_delivered_units, c.now::text as now,
         c.period_start, c.period_end, ${secondsOf('c.period_start')} as period_start_seconds,
         ${secondsOf('c.period_end')} as period_end_seconds,
         h.name, coalesce(h.seconds, 0) as seconds, h.request_limit, h.delivered_limit, t.tail_at::text as tail_at,
         h.request_units + change.request_units as request_units,
         h.delivered_units + change.delivered_units as delivered_units,
         h.fresh_evidence_units + change.fresh_evidence_units as fresh_evidence_units,
         undone.request_units as reversed_request_units,
         undone.delivered_units as reversed_delivered_units,
         undone.fresh_evidence_units as reversed_fresh_evidence_units,
         coalesce(ceil(extract(epoch from oldest.settled_at + h.seconds * interval '1 second' - least(c.now, clock_timestamp()))),
                  0)::bigint
           as reset_seconds
  from current c
  join subscription_interval h on h.subscription_id = c.id
  cross join lateral (
    select case h.name
      when 'period' then c.period_start - interval '1 microsecond'
      else c.now - h.seconds * interval '1 second'
    end as tail_at
  ) t
  cross join lateral (
    select d.sign * u.request_units as request_units, d.sign * u.delivered_units as delivered_units,
           d.sign * u.fresh_evidence_units as fresh_evidence_units
    from (select case when t.tail_at > h.tail_at then -1 else 1 end as sign) d
    cross join units_between(c.id, least(h.tail_at, t.tail_at), greatest(h.tail_at, t.tail_at)) u
  ) change
  cross join lateral (
    select coalesce(-sum(r.request_units), 0)::bigint as request_units,
           coalesce(-sum(r.delivered_units), 0)::bigint as delivered_units,
           coalesce(-sum(r.fresh_evidence_units), 0)::bigint as fresh_evidence_units
    from reversal r
    where r.subscription_id = c.id and r.settled_at > t.tail_at
  ) undone
  cross join oldest_request(c.id, t.tail_at) as oldest (settled_at)`;

interface IntervalRow extends UnitsRow, UnitsRow<'reversed_'> {
  account_id: bigint;
  plan: string;
  status: string;
  held_request_units: bigint;
  held_delivered_units: bigint;
  now: string;
  period_start: Date;
  period_end: Date;
  period_start_seconds: number;
  period_end_seconds: number;
  name: AllowanceInterval;
  seconds: bigint;
  request_limit: bigint;
  delivered_limit: bigint;
  tail_at: string;
  reset_seconds: bigint;
}

function toIntervalBalance(row: IntervalRow): IntervalBalance {
  return {
    limit: { requestUnits: row.request_limit, deliveredUnits: row.delivered_limit },
    settled: plus(toUnits(row, ''), negative(toUnits(row, 'reversed_'))),
    seconds: row.seconds,
    resetSeconds: row.reset_seconds,
  };
}
