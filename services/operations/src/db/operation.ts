import type { Queryable } from '@ces/chassis/postgres/pool';
import { NORMAL_FORM_VERSION } from '../input/fingerprint.ts';
import type { ActionName } from '../input/form.ts';
import type { NewOperation, Operation } from '../operation/operation.ts';
import { RENDER_VERSION, type StoredResult } from '../operation/result.ts';
import { isKept, OPERATION_COLUMNS, type OperationRow, RESULT_COLUMNS, toOperation } from './operation-row.ts';

export interface Acceptance {
  /** How long it may wait to be claimed, in milliseconds. */
  readonly pendingMs: number;
  /** The process that accepts it, and how long its lease lasts, in milliseconds. */
  readonly owner: string;
  readonly leaseMs: number;
  /** The W3C trace context of the call that is accepted. */
  readonly traceparent?: string | undefined;
}

/** What a request key names: nothing, an operation, or one that is no longer kept. */
export type KeyOwner =
  | { readonly kind: 'none' }
  | { readonly kind: 'operation'; readonly operation: Operation }
  | { readonly kind: 'retired' };

/** Whom a request key belongs to, and the database's clock, to the millisecond. Operations older than `keptMs` are not kept. */
export async function findByKey(
  db: Queryable,
  accountId: bigint,
  action: ActionName,
  requestKey: string,
  keptMs: number,
): Promise<{ readonly now: Date; readonly owner: KeyOwner }> {
  const { rows } = await db.query<OperationRow & { now: Date; is_taken: boolean }>(
    `select date_trunc('milliseconds', clock_timestamp()) as now, k.operation_id is not null as is_taken,
       ${OPERATION_COLUMNS}, ${RESULT_COLUMNS}
     from (values (1)) as always
     left join request_key k
       on k.account_id = $1 and k.action = $2 and k.key_digest = sha256(convert_to($3, 'UTF8'))
     left join operation o on o.id = k.operation_id and ${isKept('$4')}
     left join result r on r.operation_id = o.id`,
    [accountId, action, requestKey, keptMs],
  );
  const [row] = rows;
  if (!row) throw new Error('a select without a condition returned nothing');
  if (row.id) return { now: row.now, owner: { kind: 'operation', operation: toOperation(row) } };
  return { now: row.now, owner: { kind: row.is_taken ? 'retired' : 'none' } };
}

/** An operation of an account; another account's is not found. */
export async function findById(db: Queryable, accountId: bigint, id: bigint): Promise<Operation | undefined> {
  const { rows } = await db.query<OperationRow>(
    `select ${OPERATION_COLUMNS}, ${RESULT_COLUMNS}
     from operation o left join result r on r.operation_id = o.id
     where o.id = $2 and o.account_id = $1`,
    [accountId, id],
  );
  return rows[0] && toOperation(rows[0]);
}

/** The same, or that it is no longer kept; operations older than `keptMs` are not. */
export async function findKept(db: Queryable, accountId: bigint, id: bigint, keptMs: number): Promise<KeyOwner> {
  const { rows } = await db.query<OperationRow>(
    `select ${OPERATION_COLUMNS}, ${RESULT_COLUMNS}
     from request_key k
     left join operation o on o.id = k.operation_id and ${isKept('$3')}
     left join result r on r.operation_id = o.id
     where k.operation_id = $2 and k.account_id = $1`,
    [accountId, id, keptMs],
  );
  const [row] = rows;
  if (!row) return { kind: 'none' };
  return row.id ? { kind: 'operation', operation: toOperation(row) } : { kind: 'retired' };
}

const NEW_COLUMNS = `account_id, action, request_key, key_digest, fingerprint, normal_form_version, normal_form,
  subscription_id, credential_id, test_mode, payment, worst_case_units, background`;
const NEW_VALUES = `$1, $2, $3, sha256(convert_to($3, 'UTF8')), $4, $5, $6, $7, $8, $9, $10, $11, $12`;

function newValues(operation: NewOperation): unknown[] {
  return [
    operation.accountId,
    operation.input.action,
    operation.requestKey,
    operation.fingerprint,
    NORMAL_FORM_VERSION,
    JSON.stringify(operation.input.form),
    operation.subscriptionId,
    operation.credentialId,
    operation.testMode,
    operation.payment,
    operation.worstCaseUnits,
    operation.background,
  ];
}

// A row whose request key is taken is left out by a trigger, once whoever takes it has committed: nothing is returned.

/** Writes the intent: the operation at 'created' and its job under this process's lease, fence 1, not in any line. Undefined when the request key is taken. */
export async function insertCreated(
  db: Queryable,
  operation: NewOperation,
  acceptance: Acceptance,
): Promise<Operation | undefined> {
  const { rows } = await db.query<OperationRow>(
    `with o as (
       insert into operation (${NEW_COLUMNS}, state, deadline_at)
       values (${NEW_VALUES}, 'created', clock_timestamp() + $13 * interval '1 millisecond')
       returning *
     ), leased as (
       insert into job (operation_id, account_id, fence, attempts, owner, due_at, publish_at, traceparent)
       select id, account_id, 1, 0, $14, l.until, l.until, $16::text
       from o, (select clock_timestamp() + $15 * interval '1 millisecond' as until) as l
     )
     select ${OPERATION_COLUMNS} from o`,
    [...newValues(operation), acceptance.pendingMs, acceptance.owner, acceptance.leaseMs, acceptance.traceparent],
  );
  return rows[0] && toOperation(rows[0]);
}

/**
 * Writes an operation together with its result: 'stored' when it is yet to be charged, 'delivered' when it costs nothing. What
 * is not charged after `abandonedAfterMs` was abandoned by its submitter.
 */
export async function insertWithResult(
  db: Queryable,
  operation: NewOperation,
  result: StoredResult,
  state: 'stored' | 'delivered',
  abandonedAfterMs: number,
): Promise<Operation | undefined> {
  const { rows } = await db.query<OperationRow>(
    `with o as (
       insert into operation (${NEW_COLUMNS}, state, deadline_at, stored_at, finished_at)
       select ${NEW_VALUES}, $13, t.now, t.now, case when $13 = 'delivered' then t.now end
       from (select clock_timestamp() as now) as t
       returning *
     ), j as (
       insert into job (operation_id, account_id, fence, attempts, due_at, publish_at)
       select id, account_id, 0, 0, stored_at + $23 * interval '1 millisecond', 'infinity' from o where state = 'stored'
     ), r as (
       insert into result (operation_id, render_version, items, details, settled_company_ids, request_units,
         fresh_evidence_units, as_of, judged_at, next_cursor)
       select id, $14, $15, $16, $17, $18, $19, $20, $21, $22 from o
       returning *
     )
     select ${OPERATION_COLUMNS}, ${RESULT_COLUMNS} from o join r on r.operation_id = o.id`,
    [...newValues(operation), state, ...resultValues(result), abandonedAfterMs],
  );
  return rows[0] && toOperation(rows[0]);
}

/** What a result row holds beside the id of its operation, in the order of its columns. */
export function resultValues(result: StoredResult): unknown[] {
  return [
    RENDER_VERSION,
    JSON.stringify(result.items),
    JSON.stringify(result.details),
    result.settledCompanyIds,
    result.requestUnits,
    result.freshEvidenceUnits,
    result.asOf,
    result.judgedAt,
    result.nextCursor ?? null,
  ];
}
