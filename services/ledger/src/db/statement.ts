import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Units } from '../allowance/units.ts';
import { toText } from './instant.ts';
import { toUnits, type UnitsRow } from './units.ts';

// Instants are microseconds since 1970, which a Date would lose.

export interface StatementInterval {
  readonly subscriptionId: bigint;
  readonly since: bigint;
  readonly until: bigint;
  readonly knownUntil: bigint;
}

export interface StatementPosition {
  readonly settledAt: bigint;
  readonly isReversal: boolean;
}

/** A reason marks a reversal: negative units, instant of the reversed entry. */
export interface StatementLine {
  readonly operationId: bigint;
  readonly settledAt: bigint;
  readonly units: Units;
  readonly reason: string | undefined;
}

/**
 * The last posting. No later posting gets an earlier instant, because it reads the row under its
 * lock.
 */
export async function readKnownUntil(
  db: Queryable,
  subscriptionId: bigint,
): Promise<{ readonly knownUntil: bigint; readonly now: bigint } | undefined> {
  const { rows } = await db.query<{ knownUntil: bigint; now: bigint }>(
    `select (extract(epoch from last_at) * 1000000)::bigint as "knownUntil",
            (extract(epoch from greatest(clock_timestamp(), last_at + interval '1 microsecond')) * 1000000)::bigint as now
     from subscription
     where id = $1`,
    [subscriptionId],
  );
  return rows[0];
}

/** Lists by settlement; a reversal follows its entry. */
export async function listStatementLines(
  db: Queryable,
  interval: StatementInterval,
  after: StatementPosition | undefined,
  limit: number,
): Promise<readonly StatementLine[]> {
  const { subscriptionId, since, knownUntil } = interval;
  const firstReversal = after ? after.settledAt + (after.isReversal ? 1n : 0n) : since;
  const { rows } = await db.query<LineRow>(LINES, [
    subscriptionId,
    toText(after ? after.settledAt + 1n : since),
    toText(firstReversal),
    toText(lastInstant(interval)),
    toText(knownUntil),
    limit,
  ]);
  return rows.map(toLine);
}

const LINES = `
  select l.operation_id, (extract(epoch from l.settled_at) * 1000000)::bigint as settled_at,
         l.request_units, l.delivered_units, l.fresh_evidence_units, l.reason
  from (
    (select e.operation_id, e.settled_at, e.request_units, e.delivered_units, e.fresh_evidence_units, null as reason
     from entry e
     where e.subscription_id = $1 and e.settled_at >= $2::timestamptz and e.settled_at <= $4::timestamptz
     order by e.settled_at
     limit $6)
    union all
    (select r.operation_id, r.settled_at, r.request_units, r.delivered_units, r.fresh_evidence_units, r.reason
     from reversal r
     where r.subscription_id = $1 and r.settled_at >= $3::timestamptz and r.settled_at <= $4::timestamptz
       and r.reversed_at <= $5::timestamptz
     order by r.settled_at
     limit $6)
  ) l
  order by l.settled_at, l.reason is not null
  limit $6`;

/** A number may be given twice, an identity may not. */
export async function findIdentities(
  db: Queryable,
  lines: readonly StatementLine[],
): Promise<ReadonlyMap<bigint, string>> {
  const ids = [...new Set(lines.map(({ operationId }) => operationId))];
  const { rows } = await db.query<{ operation_id: bigint; operation_identity: string }>(
    'select operation_id, operation_identity from find_holds($1)',
    [ids],
  );
  return new Map(rows.map((row) => [row.operation_id, row.operation_identity]));
}

export async function readStatementTotals(db: Queryable, interval: StatementInterval): Promise<Units> {
  const { subscriptionId, since, knownUntil } = interval;
  const { rows } = await db.query<UnitsRow>(TOTALS, [
    subscriptionId,
    toText(since - 1n),
    toText(lastInstant(interval)),
    toText(knownUntil),
  ]);
  if (!rows[0]) throw new Error('a sum has one row');
  return toUnits(rows[0], '');
}

const TOTALS = `
  select u.request_units + r.request_units as request_units, u.delivered_units + r.delivered_units as delivered_units,
         u.fresh_evidence_units + r.fresh_evidence_units as fresh_evidence_units
  from units_between($1, $2::timestamptz, $3::timestamptz) u
  cross join (
    select coalesce(sum(request_units), 0)::bigint as request_units,
           coalesce(sum(delivered_units), 0)::bigint as delivered_units,
           coalesce(sum(fresh_evidence_units), 0)::bigint as fresh_evidence_units
    from reversal
    where subscription_id = $1 and settled_at > $2::timestamptz and settled_at <= $3::timestamptz
      and reversed_at <= $4::timestamptz
  ) r`;

function lastInstant({ until, knownUntil }: StatementInterval): bigint {
  return until - 1n < knownUntil ? until - 1n : knownUntil;
}

interface LineRow extends UnitsRow {
  operation_id: bigint;
  settled_at: bigint;
  reason: string | null;
}

function toLine(row: LineRow): StatementLine {
  return {
    operationId: row.operation_id,
    settledAt: row.settled_at,
    units: toUnits(row, ''),
    reason: row.reason ?? undefined,
  };
}
