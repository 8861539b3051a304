import type { Queryable } from '@ces/chassis/postgres/pool';
import { NORMAL_FORM_VERSION } from '../input/fingerprint.ts';
import type { ActionName } from '../input/form.ts';
import type { NewOperation, Operation } from '../model/operation.ts';
import { RENDER_VERSION, type StoredResult } from '../model/result.ts';
import { ACCEPTED_FENCE } from './job.ts';
import { isKept, OPERATION_COLUMNS, type OperationRow, RESULT_COLUMNS, toOperation } from './operation-row.ts';

export interface Acceptance {
  readonly pendingMs: number;
  readonly owner: string;
  readonly leaseMs: number;
  readonly runsHere?: boolean;
  readonly traceparent?: string | undefined;
}

export type RequestKeyOwner =
  | { readonly kind: 'none' }
  | { readonly kind: 'operation'; readonly operation: Operation }
  | { readonly kind: 'retired' };

/** Also returns the database's clock. Operations older than `keptMs` are not kept. */
export async function findByRequestKey(
  db: Queryable,
  accountId: bigint,
  action: ActionName,
  requestKey: string,
  keptMs: number,
): Promise<{ readonly now: Date; readonly owner: RequestKeyOwner }> {
  const { rows } = await db.query<OperationRow & { now: Date; is_taken: boolean }>(
    `select date_trunc('milliseconds', clock_timestamp()) as now, k.operation_id is not null as is_taken,
       ${OPERATION_COLUMNS}, ${RESULT_COLUMNS}
     from (values (1)) as always
     left join request_key k
       on k.account_id = $1 and k.action = $2 and k.request_key_digest = sha256(convert_to($3, 'UTF8'))
     left join operation o on o.id = k.operation_id and ${isKept('$4')}
     left join result r on r.operation_id = o.id`,
    [accountId, action, requestKey, keptMs],
  );
  const [row] = rows;
  if (!row) throw new Error('a select without a condition returned nothing');
  if (row.id) return { now: row.now, owner: { kind: 'operation', operation: toOperation(row) } };
  return { now: row.now, owner: { kind: row.is_taken ? 'retired' : 'none' } };
}

export async function findById(db: Queryable, accountId: bigint, id: bigint): Promise<Operation | undefined> {
  const { rows } = await db.query<OperationRow>(
    `select ${OPERATION_COLUMNS}, ${RESULT_COLUMNS}
     from operation o left join result r on r.operation_id = o.id
     where o.id = $2 and o.account_id = $1`,
    [accountId, id],
  );
  return rows[0] && toOperation(rows[0]);
}

/** Reports whether it is older than `keptMs` and no longer kept. */
export async function findKept(db: Queryable, accountId: bigint, id: bigint, keptMs: number): Promise<RequestKeyOwner> {
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

const NEW_COLUMNS = `id, account_id, action, request_key, fingerprint, normal_form_version, normal_form, subscription_id,
  credential_id, test_mode, payment, worst_case_units, background`;
const NEW_VALUES = 'taken.operation_id, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12';

/**
 * No row when another call has the key; waits for a concurrent insert to commit. `nextval` runs
 * only for a key that looks free, because numbers are never reused.
 */
const TAKE_KEY = `taken as (
       insert into request_key (account_id, action, request_key_digest, operation_id)
       select $1, $2, key.digest, nextval('operation_id_seq')
       from (values (sha256(convert_to($3, 'UTF8')))) as key (digest)
       where not exists (select from request_key k where k.account_id = $1 and k.action = $2 and k.request_key_digest = key.digest)
       on conflict (account_id, action, request_key_digest) do nothing
       returning operation_id
     )`;

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

interface GivenRow {
  id: bigint;
  identity: string;
  created_at: Date;
  finished_at: Date | null;
}

const GIVEN_COLUMNS = 'o.id, o.identity, o.created_at, o.finished_at';

export interface CreatedOperation extends Operation {
  /** That may have crashed their process: 0 or 1. */
  readonly lostAttempts: number;
}

/** 'created', with its job under this lease and fence 1. Undefined when the key is taken. */
export async function insertCreated(
  db: Queryable,
  operation: NewOperation,
  acceptance: Acceptance,
): Promise<CreatedOperation | undefined> {
  const { rows } = await db.query<GivenRow & { lost_attempts: number }>(
    `with ${TAKE_KEY}, lost as (
       select count(*)::integer as attempts from lost_attempt
       where account_id = $1 and action = $2 and request_key_digest = sha256(convert_to($3, 'UTF8'))
     ), o as (
       insert into operation (${NEW_COLUMNS}, state, deadline_at)
       select ${NEW_VALUES}, 'created', clock_timestamp() + $13 * interval '1 millisecond' from taken
       returning id, identity, created_at, finished_at
     ), leased as (
       insert into job (operation_id, account_id, fence, attempts, owner, due_at, publish_at, traceparent)
       select operation_id, $1, ${ACCEPTED_FENCE}, greatest($17, lost.attempts), $14, l.until, l.until, $16::text
       from taken, lost, (select clock_timestamp() + $15 * interval '1 millisecond' as until) as l
     )
     select ${GIVEN_COLUMNS}, lost.attempts as lost_attempts from o, lost`,
    [
      ...newValues(operation),
      acceptance.pendingMs,
      acceptance.owner,
      acceptance.leaseMs,
      acceptance.traceparent,
      acceptance.runsHere ? 1 : 0,
    ],
  );
  const [row] = rows;
  return row && { ...inserted(operation, row, 'created', undefined), lostAttempts: row.lost_attempts };
}

/** 'stored' until charged, 'delivered' when free. Uncharged after `abandonedAfterMs`: abandoned. */
export async function insertWithResult(
  db: Queryable,
  operation: NewOperation,
  result: StoredResult,
  state: 'stored' | 'delivered',
  abandonedAfterMs: number,
): Promise<Operation | undefined> {
  const { rows } = await db.query<GivenRow>(
    `with ${TAKE_KEY}, o as (
       insert into operation (${NEW_COLUMNS}, state, created_at, deadline_at, stored_at, finished_at)
       select ${NEW_VALUES}, $13, t.now, t.now, t.now, case when $13 = 'delivered' then t.now end
       from taken, (select clock_timestamp() as now) as t
       returning id, identity, created_at, finished_at
     ), j as (
       insert into job (operation_id, account_id, fence, attempts, due_at, publish_at)
       select operation_id, $1, 0, 0, clock_timestamp() + $23 * interval '1 millisecond', 'infinity'
       from taken where $13 = 'stored'
     ), r as (
       insert into result (operation_id, render_version, items, details, settled_company_ids, request_units,
         fresh_evidence_units, as_of, judged_at, next_cursor)
       select operation_id, $14, $15, $16, $17, $18, $19, $20, $21, $22 from taken
     )
     select ${GIVEN_COLUMNS} from o`,
    [...newValues(operation), state, ...resultValues(result), abandonedAfterMs],
  );
  return rows[0] && inserted(operation, rows[0], state, result);
}

function inserted(
  operation: NewOperation,
  given: GivenRow,
  state: Operation['state'],
  result: StoredResult | undefined,
): Operation {
  return {
    ...operation,
    id: given.id,
    identity: given.identity,
    state,
    createdAt: given.created_at,
    finishedAt: given.finished_at ?? undefined,
    units: { request: 0, delivered: 0, fresh: 0 },
    failure: undefined,
    result,
  };
}

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
