import type { Queryable } from '@ces/chassis/postgres/pool';
import type { OperationState } from '../model/operation.ts';
import { isKept } from './operation-row.ts';

export interface OperationRecordRow {
  id: bigint;
  account_id: bigint;
  subscription_id: bigint;
  action: string;
  request_key: string;
  state: OperationState;
  request_units: number;
  delivered_units: number;
  fresh_evidence_units: number;
  attempts: number | null;
  fence: bigint | null;
  lease_until: Date | null;
  created_at: Date;
  finished_at: Date | null;
  failure_code: string | null;
  failure_message: string | null;
}

const COLUMNS = `o.id, o.account_id, o.subscription_id, o.action, o.request_key, o.state, o.request_units,
  o.delivered_units, o.fresh_evidence_units, o.created_at, o.finished_at, o.failure_code, o.failure_message,
  j.attempts, j.fence, case when j.owner is not null then j.due_at end as lease_until`;

/** Filters have separate statements: a shared plan could use no index for the account. */
export async function listRecords(
  db: Queryable,
  filter: { readonly accountId?: bigint; readonly states?: readonly OperationState[]; readonly beforeId?: bigint },
  limit: number,
): Promise<OperationRecordRow[]> {
  const asked: readonly (readonly [(parameter: string) => string, unknown])[] = [
    [(parameter) => `o.account_id = ${parameter}`, filter.accountId],
    [(parameter) => `o.state = any (${parameter})`, filter.states],
    [(parameter) => `o.id < ${parameter}`, filter.beforeId],
  ];
  const given = asked.filter(([, value]) => value !== undefined);
  const conditions = ['true', ...given.map(([condition], index) => condition(`$${index + 2}`))];
  const { rows } = await db.query<OperationRecordRow>(
    `select ${COLUMNS} from operation o left join job j on j.operation_id = o.id
     where ${conditions.join(' and ')}
     order by o.id desc limit $1`,
    [limit, ...given.map(([, value]) => value)],
  );
  return rows;
}

export interface FullRecordRow extends OperationRecordRow {
  normal_form: string | null;
  plan: string | null;
  result: string | null;
}

export async function findRecord(db: Queryable, id: bigint): Promise<FullRecordRow | undefined> {
  const { rows } = await db.query<FullRecordRow>(
    `select ${COLUMNS}, o.normal_form::text as normal_form,
       (select jsonb_build_object('planner', p.planner, 'retrieval', p.retrieval, 'plan', p.plan, 'filters', p.filters)::text
        from plan p where p.operation_id = o.id) as plan,
       (select to_jsonb(r)::text from result r where r.operation_id = o.id) as result
     from operation o left join job j on j.operation_id = o.id
     where o.id = $1`,
    [id],
  );
  return rows[0];
}

export interface SettlementRow {
  id: bigint;
  identity: string;
  subscription_id: bigint;
  state: OperationState;
  request_units: number;
  delivered_units: number;
  fresh_evidence_units: number;
  stored_companies: number;
  metered: boolean;
}

/** Lists by id. Results are joined as a set, so that only their partitions are read. */
export async function listSettlements(
  db: Queryable,
  afterId: bigint,
  limit: number,
  keptMs: number,
): Promise<SettlementRow[]> {
  const { rows } = await db.query<SettlementRow>(
    `with page as materialized (
       select o.id, o.identity, o.subscription_id, o.state, o.request_units, o.delivered_units, o.fresh_evidence_units,
         o.payment <> 'none' as metered
       from operation o
       where o.id > $1 and ${isKept('$3')}
       order by o.id limit $2
     ), stored as (
       select r.operation_id,
         (select count(distinct item -> 'company_id')::int from jsonb_array_elements(r.items) as item) as companies
       from result r
       where r.operation_id between (select min(id) from page) and (select max(id) from page)
     )
     select page.*, coalesce(stored.companies, 0) as stored_companies
     from page left join stored on stored.operation_id = page.id
     order by page.id`,
    [afterId, limit, keptMs],
  );
  return rows;
}
