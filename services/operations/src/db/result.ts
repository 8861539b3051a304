import type { Queryable } from '@ces/chassis/postgres/pool';
import type { StoredResult } from '../model/result.ts';
import { ACCEPTED_RUN_STATES, endedRunColumns, SWEEPER_DELAY_MS } from './job.ts';
import { resultValues } from './operation.ts';
import type { FrozenPlan } from './plan.ts';
import type { Shortlist } from './shortlist.ts';

export interface RunOutput {
  readonly result: StoredResult;
  readonly plan?: FrozenPlan | undefined;
  readonly shortlist?: Shortlist | undefined;
}

/**
 * running → stored, or from an earlier state under the acceptance. False when the claim is no
 * longer the newest. Locks as `LOCK_JOB` requires (decisions 0005 and 0038).
 */
export async function writeOutput(
  db: Queryable,
  operationId: bigint,
  fence: bigint,
  { result, plan, shortlist }: RunOutput,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `with ended as (
       update job set ${endedRunColumns(SWEEPER_DELAY_MS)} from operation o
       where job.operation_id = $1 and job.fence = $2 and o.id = $1 and o.state in ${ACCEPTED_RUN_STATES}
       returning job.operation_id
     ), stored as (
       update operation set state = 'stored', started_at = coalesce(started_at, created_at), stored_at = clock_timestamp()
       where id = $1 and state in ${ACCEPTED_RUN_STATES} and (select count(*) from ended) = 1
       returning id
     ), result_written as (
       insert into result (operation_id, render_version, items, details, settled_company_ids, request_units,
         fresh_evidence_units, as_of, judged_at, next_cursor)
       select id, $3, $4, $5, $6, $7, $8, $9, $10, $11 from stored
     ), plan_frozen as (
       insert into plan (operation_id, planner, retrieval, plan, filters)
       select id, $12::text, $13, $14, $15 from stored where $12::text is not null
     ), shortlist_frozen as (
       insert into shortlist (operation_id, account_id, page_fingerprint, items, coverage, as_of, expires_at)
       select id, $16::bigint, $17, $18, $19, $20, $21 from stored where $16::bigint is not null
     )
     select from stored`,
    [operationId, fence, ...resultValues(result), ...planValues(plan), ...shortlistValues(shortlist)],
  );
  return rowCount === 1;
}

function planValues(plan: FrozenPlan | undefined): unknown[] {
  return plan ? [plan.planner, plan.retrieval, plan.planJson, plan.filtersJson] : [null, null, null, null];
}

function shortlistValues(shortlist: Shortlist | undefined): unknown[] {
  if (!shortlist) return [null, null, null, null, null, null];
  const { accountId, pageFingerprint, items, coverage, asOf, expiresAt } = shortlist;
  return [accountId, pageFingerprint, JSON.stringify(items), JSON.stringify(coverage), asOf, expiresAt];
}
