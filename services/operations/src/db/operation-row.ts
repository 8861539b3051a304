import type { Input } from '../input/form.ts';
import type { Operation, OperationState, Payment } from '../model/operation.ts';
import type { Reference, ResultDetails, StoredResult } from '../model/result.ts';
import { failureCodeOf } from '../model/stored-failure.ts';

export const OPERATION_COLUMNS = `
  o.id, o.identity, o.account_id, o.action, o.request_key, o.fingerprint, o.normal_form, o.subscription_id, o.credential_id,
  o.test_mode, o.payment, o.worst_case_units, o.background, o.state, o.created_at, o.finished_at, o.request_units,
  o.delivered_units, o.fresh_evidence_units, o.failure_code, o.failure_message`;

export const RESULT_COLUMNS = `
  r.items, r.details, r.settled_company_ids, r.request_units as result_request_units,
  r.fresh_evidence_units as result_fresh_units, r.as_of, r.judged_at, r.next_cursor`;

export function isKept(keptMs: string): string {
  return `o.created_at > clock_timestamp() - ${keptMs} * interval '1 millisecond'`;
}

export interface OperationRow extends Partial<ResultRow> {
  id: bigint;
  identity: string;
  account_id: bigint;
  action: string;
  request_key: string;
  fingerprint: Buffer;
  normal_form: unknown;
  subscription_id: bigint;
  credential_id: bigint;
  test_mode: boolean;
  payment: Payment;
  worst_case_units: number;
  background: boolean;
  state: OperationState;
  created_at: Date;
  finished_at: Date | null;
  request_units: number;
  delivered_units: number;
  fresh_evidence_units: number;
  failure_code: string | null;
  failure_message: string | null;
}

interface ResultRow {
  items: Reference[] | null;
  details: ResultDetails;
  /** The driver returns the elements of an int8[] as text. */
  settled_company_ids: string[];
  result_request_units: number;
  result_fresh_units: number;
  as_of: Date;
  judged_at: Date;
  next_cursor: string | null;
}

export function toOperation(row: OperationRow): Operation {
  return {
    id: row.id,
    identity: row.identity,
    accountId: row.account_id,
    subscriptionId: row.subscription_id,
    credentialId: row.credential_id,
    testMode: row.test_mode,
    requestKey: row.request_key,
    fingerprint: row.fingerprint,
    input: { action: row.action, form: row.normal_form } as Input,
    payment: row.payment,
    worstCaseUnits: row.worst_case_units,
    background: row.background,
    state: row.state,
    createdAt: row.created_at,
    finishedAt: row.finished_at ?? undefined,
    units: { request: row.request_units, delivered: row.delivered_units, fresh: row.fresh_evidence_units },
    failure: row.failure_code
      ? { code: failureCodeOf(row.failure_code), message: row.failure_message ?? '' }
      : undefined,
    result: row.items ? toResult(row as ResultRow & { items: Reference[] }) : undefined,
  };
}

function toResult(row: ResultRow & { items: Reference[] }): StoredResult {
  return {
    items: row.items,
    details: row.details,
    settledCompanyIds: row.settled_company_ids.map(BigInt),
    requestUnits: row.result_request_units,
    freshEvidenceUnits: row.result_fresh_units,
    asOf: row.as_of,
    judgedAt: row.judged_at,
    nextCursor: row.next_cursor ?? undefined,
  };
}
