import type { Pool } from '@ces/chassis/postgres/pool';

/**
 * A release as its caller saw it, in ms since 1970. The ledger does not record when it releases a
 * hold.
 */
export interface GivenBack {
  readonly operationId: bigint;
  readonly sentAt: number;
  readonly receivedAt: number;
}

export interface Findings {
  readonly over: readonly string[];
  /** Refused operations that would have fitted at the instant of the refusal. */
  readonly unjustified: readonly bigint[];
}

const HORIZONS = { window: undefined, week: 604_800, period: undefined } as const;
/** Longer than any run, so that no period ends during one. */
const A_PERIOD_SECONDS = 3_000_000_000;
/** A batch takes its decisions at one instant and writes its rows up to this much later. */
const BATCH_MICROSECONDS = 200;

/** Checks all rows of a subscription whose limits never changed. */
export async function examine(
  owner: Pool,
  subscriptionId: bigint,
  givenBack: readonly GivenBack[] = [],
): Promise<Findings> {
  const over: string[] = [];
  let unjustified: readonly bigint[] | undefined;
  for (const name of Object.keys(HORIZONS) as (keyof typeof HORIZONS)[]) {
    const horizon = { name, ...(await numbersOf(owner, subscriptionId, name)) };
    over.push(...(await findOver(owner, subscriptionId, horizon, givenBack)));
    const fitting = await findFitting(owner, subscriptionId, horizon, givenBack);
    unjustified = (unjustified ?? [...fitting]).filter((operationId) => fitting.has(operationId));
  }
  return { over, unjustified: unjustified ?? [] };
}

interface Numbers {
  readonly name: string;
  readonly seconds: number;
  readonly requests: bigint;
  readonly delivered: bigint;
}

async function numbersOf(
  owner: Pool,
  subscriptionId: bigint,
  name: keyof typeof HORIZONS,
): Promise<Omit<Numbers, 'name'>> {
  const { rows } = await owner.query<{ seconds: bigint; requests: bigint; delivered: bigint }>(
    `select window_seconds as seconds, ${name}_request_units as requests, ${name}_delivered_units as delivered
     from subscription_limit
     where subscription_id = $1`,
    [subscriptionId],
  );
  const [row] = rows;
  if (!row) throw new Error(`there is no subscription ${subscriptionId}`);
  const seconds = { window: Number(row.seconds), week: HORIZONS.week, period: A_PERIOD_SECONDS }[name];
  return { seconds, requests: row.requests, delivered: row.delivered };
}

/**
 * Settled and held units at every instant of a write, with the units of the call refused then. `$2`
 * is how far back settled units count. `$4` holds the earliest or the latest possible release
 * instants.
 */
const TOTALS = `
  with given_back as (
    select * from unnest($3::bigint[], $4::float8[]) as g (operation_id, seconds)
  ), span as (
    select h.created_at as held_from, h.request_units, h.delivered_units,
           case h.state when 'posted' then e.settled_at when 'void' then to_timestamp(g.seconds) end as held_until
    from hold h
    left join entry e on e.operation_id = h.operation_id
    left join given_back g on g.operation_id = h.operation_id
    where h.subscription_id = $1 and h.state <> 'refused'
  ), event (at, held_requests, held_delivered, requests, delivered, refused_id, asked_requests, asked_delivered) as (
    select held_from, request_units, delivered_units, 0, 0, null::bigint, 0, 0 from span
    union all
    select held_until, -request_units, -delivered_units, 0, 0, null, 0, 0 from span where held_until is not null
    union all
    select settled_at, 0, 0, request_units, delivered_units, null, 0, 0 from entry where subscription_id = $1
    union all
    select created_at, 0, 0, 0, 0, operation_id, request_units, delivered_units
    from hold
    where subscription_id = $1 and refusal_code = 'request_limit_reached'
  ), total as (
    select at, refused_id, asked_requests, asked_delivered,
           sum(held_requests) over history + sum(requests) over horizon as requests,
           sum(held_delivered) over history + sum(delivered) over horizon as delivered
    from event
    window history as (order by at),
           horizon as (order by at range between $2::interval preceding and current row)
  )`;

async function findOver(
  owner: Pool,
  subscriptionId: bigint,
  { name, seconds, requests, delivered }: Numbers,
  givenBack: readonly GivenBack[],
): Promise<readonly string[]> {
  const { rows } = await owner.query<{ at: string; requests: number; delivered: number }>(
    `${TOTALS} select distinct at::text, requests, delivered from total where requests > $5 or delivered > $6 limit 20`,
    [
      subscriptionId,
      `${seconds - 1} seconds 999999 microseconds`,
      givenBack.map(({ operationId }) => operationId),
      givenBack.map(({ sentAt }) => sentAt / 1000),
      requests,
      delivered,
    ],
  );
  return rows.map((row) => `${name}: ${row.requests}/${row.delivered} of ${requests}/${delivered} at ${row.at}`);
}

async function findFitting(
  owner: Pool,
  subscriptionId: bigint,
  { seconds, requests, delivered }: Numbers,
  givenBack: readonly GivenBack[],
): Promise<ReadonlySet<bigint>> {
  const { rows } = await owner.query<{ refused_id: bigint }>(
    `${TOTALS}
     select refused_id
     from total
     where refused_id is not null
       and (asked_requests = 0 or requests + asked_requests <= $5)
       and (asked_delivered = 0 or delivered + asked_delivered <= $6)`,
    [
      subscriptionId,
      `${seconds} seconds ${BATCH_MICROSECONDS} microseconds`,
      givenBack.map(({ operationId }) => operationId),
      givenBack.map(({ receivedAt }) => (receivedAt + 1) / 1000),
      requests,
      delivered,
    ],
  );
  return new Set(rows.map((row) => row.refused_id));
}
