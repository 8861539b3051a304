import { createPool, type Pool } from '@ces/chassis/postgres/pool';
import { createLogger } from '@ces/chassis/telemetry/log';

export interface Snapshot {
  readonly operations: readonly OperationRow[];
  readonly holds: readonly HoldRow[];
  readonly entries: readonly EntryRow[];
  readonly subscriptions: readonly SubscriptionRow[];
  readonly jobs: number;
}

export interface OperationRow {
  readonly id: bigint;
  readonly account_id: bigint;
  readonly subscription_id: bigint;
  readonly action: string;
  readonly request_key: string;
  readonly payment: 'hold' | 'charge' | 'none';
  readonly state: string;
  readonly failure_code: string | null;
  readonly request_units: number;
  readonly delivered_units: number;
  readonly fresh_evidence_units: number;
  /** Seconds since 1970. */
  readonly ended: number | null;
  readonly stored_companies: number | null;
  readonly settled_companies: number | null;
  readonly stored_observations: number | null;
}

/** Instants are microseconds since 1970. */
export interface HoldRow {
  readonly operation_id: bigint;
  readonly subscription_id: bigint | null;
  readonly state: 'held' | 'posted' | 'void' | 'refused';
  readonly request_units: bigint;
  readonly delivered_units: bigint;
  readonly created: bigint;
  readonly refusal_code: string | null;
}

export interface EntryRow {
  readonly operation_id: bigint;
  readonly subscription_id: bigint;
  readonly settled: bigint;
  readonly request_units: bigint;
  readonly delivered_units: bigint;
  readonly fresh_evidence_units: bigint;
}

export interface SubscriptionRow {
  readonly id: bigint;
  readonly window_seconds: bigint;
  readonly window_request_units: bigint;
  readonly week_request_units: bigint;
  readonly period_request_units: bigint;
  readonly window_delivered_units: bigint;
  readonly week_delivered_units: bigint;
  readonly period_delivered_units: bigint;
}

export interface SnapshotAddresses {
  readonly operations: string;
  readonly ledger: string;
}

export function snapshotAddresses(databases: ReadonlyMap<string, { readonly ownerUrl: string }>): SnapshotAddresses {
  const ownerUrlOf = (name: string) => databases.get(name)?.ownerUrl ?? '';
  return { operations: ownerUrlOf('operations'), ledger: ownerUrlOf('ledger') };
}

const OPERATIONS = `
  select o.id, o.account_id, o.subscription_id, o.action, o.request_key, o.payment, o.state, o.failure_code,
    o.request_units, o.delivered_units, o.fresh_evidence_units, extract(epoch from o.finished_at)::float8 as ended,
    (select count(distinct (item ->> 'company_id'))::int from jsonb_array_elements(r.items) item
     where item ->> 'company_id' is not null) as stored_companies,
    (select count(distinct c)::int from unnest(r.settled_company_ids) c) as settled_companies,
    (select coalesce(sum(jsonb_array_length(item -> 'observation_ids')), 0)::int from jsonb_array_elements(r.items) item
     where item ? 'observation_ids') as stored_observations
  from operation o left join result r on r.operation_id = o.id order by o.id`;

const HOLDS = `
  select operation_id, subscription_id, state, request_units, delivered_units, refusal_code,
    (extract(epoch from created_at) * 1000000)::bigint as created
  from hold order by operation_id`;

const ENTRIES = `
  select operation_id, subscription_id, request_units, delivered_units, fresh_evidence_units,
    (extract(epoch from settled_at) * 1000000)::bigint as settled
  from entry e where not exists (select from reversal r where r.operation_id = e.operation_id) order by settled_at`;

/** Reads both databases. The snapshot is consistent only while no process writes. */
export async function readSnapshot(addresses: SnapshotAddresses): Promise<Snapshot> {
  const [operations, jobs] = await withPool(addresses.operations, async (pool) => [
    await rowsOf<OperationRow>(pool, OPERATIONS),
    await rowsOf<{ count: bigint }>(pool, 'select count(*) from job'),
  ]);
  const [holds, entries, subscriptions] = await withPool(addresses.ledger, async (pool) => [
    await rowsOf<HoldRow>(pool, HOLDS),
    await rowsOf<EntryRow>(pool, ENTRIES),
    await rowsOf<SubscriptionRow>(pool, 'select subscription_id as id, * from subscription_limit'),
  ]);
  return { operations, holds, entries, subscriptions, jobs: Number(jobs[0]?.count) };
}

async function rowsOf<R extends object>(pool: Pool, text: string): Promise<readonly R[]> {
  return (await pool.query<R>(text)).rows;
}

async function withPool<T>(connectionString: string, work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = createPool({
    connectionString,
    max: 1,
    applicationName: 'checks',
    logger: createLogger('checks', 'silent'),
  });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}
