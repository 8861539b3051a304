import type { Queryable } from '@ces/chassis/postgres/pool';
import { type AllowanceInterval, INTERVALS } from '../allowance/balance-snapshot.ts';
import type { Amount, Units } from '../allowance/units.ts';
import { type Micros, secondsOf, toMicros } from './instant.ts';
import { toUnits, type UnitsRow } from './units.ts';

export interface StoredBalance {
  readonly subscriptionId: bigint;
  readonly accountId: bigint;
  readonly plan: string;
  readonly status: string;
  readonly held: Amount;
  /** Changes when existing entries change or are reversed. */
  readonly historyVersion: bigint;
  readonly periodAnchor: Micros;
  /** The last write may be ahead of the clock. */
  readonly lastAt: Micros;
  readonly clock: Micros;
  readonly windowSeconds: bigint;
  readonly intervals: Readonly<Record<AllowanceInterval, StoredInterval>>;
  readonly activeCredentials: ReadonlySet<bigint>;
  /** Refusals up to it may be deleted; 0: none. */
  readonly refusalsDeletedTo: bigint;
}

export interface StoredInterval {
  readonly tail: Micros;
  readonly units: Units;
  readonly limit: Amount;
}

/** It must follow the lock, because a statement's clock and snapshot date from its start. */
export async function readStoredBalance(
  db: Queryable,
  subscriptionId: bigint,
  credentialIds: readonly bigint[],
): Promise<StoredBalance | undefined> {
  const values = [subscriptionId, credentialIds];
  const { rows } = await db.query<Row>({ name: 'read-stored-balance', text: READ, values });
  const [row] = rows;
  return (
    row && {
      subscriptionId,
      accountId: row.account_id,
      plan: row.plan,
      status: row.status,
      held: { requestUnits: row.held_request_units, deliveredUnits: row.held_delivered_units },
      historyVersion: row.history_version,
      periodAnchor: toMicros(row.period_anchor),
      lastAt: toMicros(row.last_at),
      clock: toMicros(row.clock),
      windowSeconds: row.window_seconds,
      intervals: {
        window: toInterval(row, 'window'),
        week: toInterval(row, 'week'),
        period: toInterval(row, 'period'),
      },
      activeCredentials: new Set(row.active_credentials.map(BigInt)),
      refusalsDeletedTo: row.refusals_deleted_to,
    }
  );
}

const READ = `
  select s.account_id, s.plan, s.status, s.held_request_units, s.held_delivered_units, s.history_version,
         ${secondsOf('s.period_anchor')} as period_anchor, ${secondsOf('s.last_at')} as last_at,
         ${secondsOf('clock_timestamp()')} as clock,
         coalesce(s.own_window_seconds, p.window_seconds) as window_seconds,
         known.active_credentials, coalesce(deleted.operation_id, 0) as refusals_deleted_to,
         ${INTERVALS.map(columnsOf).join(', ')}
  from subscription s
  join plan p on p.name = s.plan
  left join deleted_refusal deleted on true
  cross join lateral (
    select array(select c.id from credential c
                 where c.id = any($2::bigint[]) and c.account_id = s.account_id and c.revoked_at is null
                   and (c.expires_at is null or c.expires_at > clock_timestamp())) as active_credentials) known
  where s.id = $1`;

function columnsOf(name: AllowanceInterval): string {
  return `
    ${secondsOf(`s.${name}_tail_at`)} as ${name}_tail, s.${name}_request_units, s.${name}_delivered_units,
    s.${name}_fresh_evidence_units,
    coalesce(s.own_${name}_request_units, p.${name}_request_units) as ${name}_request_limit,
    coalesce(s.own_${name}_delivered_units, p.${name}_delivered_units) as ${name}_delivered_limit`;
}

type Row = UnitsRow<`${AllowanceInterval}_`> &
  Record<`${AllowanceInterval}_${'request' | 'delivered'}_limit`, bigint> &
  Record<`${AllowanceInterval}_tail` | 'period_anchor' | 'last_at' | 'clock', number> & {
    account_id: bigint;
    plan: string;
    status: string;
    held_request_units: bigint;
    held_delivered_units: bigint;
    history_version: bigint;
    window_seconds: bigint;
    active_credentials: readonly string[];
    refusals_deleted_to: bigint;
  };

function toInterval(row: Row, name: AllowanceInterval): StoredInterval {
  return {
    tail: toMicros(row[`${name}_tail`]),
    units: toUnits(row, `${name}_` as const),
    limit: { requestUnits: row[`${name}_request_limit`], deliveredUnits: row[`${name}_delivered_limit`] },
  };
}
