import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Operation, Payment } from '../model/operation.ts';
import { failureNameOf, type StoredFailure } from '../model/stored-failure.ts';
import { endedRunColumns, JOB_LOCKED, LOCK_JOB, LOCK_JOBS, SWEEPER_DELAY_MS } from './job.ts';
import { OPERATION_COLUMNS, type OperationRow, toOperation } from './operation-row.ts';

/** `greatest`: the database's clock may have been set back since the acceptance. */
const FINISHED_NOW = 'finished_at = greatest(operation.created_at, clock_timestamp())';

const LIFETIME = 'action, payment, extract(epoch from finished_at - created_at)::float8 as seconds';

// The previous state guards every transition. The job is locked first and deleted at the end.

/** created → held, once the ledger has admitted it. False when another process has moved it on. */
export async function markHeld(db: Queryable, id: bigint): Promise<boolean> {
  const { rowCount } = await db.query(`update operation set state = 'held' where id = $1 and state = 'created'`, [id]);
  return rowCount === 1;
}

/**
 * Leaves it to the workers from `dueInMs` on. Only the acceptor ends its lease early. An operation
 * with a lost attempt is quarantined. False when it is not held.
 */
export async function handOverToWorkers(
  db: Queryable,
  id: bigint,
  owner: string,
  dueInMs: number,
  lostAttempts = 0,
): Promise<boolean> {
  const { rows } = await db.query<{ held: boolean }>(
    `with ${LOCK_JOB}, held as (
       update operation set state = 'held' where id = $1 and state in ('created', 'held') and ${JOB_LOCKED}
       returning id, deadline_at
     ), due as (
       select clock_timestamp() + $3::float8 * interval '1 millisecond' as at
     ), handed_over as (
       update job set owner = null, attempts = $4, queue = case when $4 > 0 then 'quarantine' else 'run' end, ready = $3::float8 = 0, due_at = due.at, publish_at = due.at,
         deadline_at = held.deadline_at
       from held, due where operation_id = held.id and owner = $2 and fence = 1
     )
     select exists (select from held) as held`,
    [id, owner, dueInMs, lostAttempts],
  );
  return rows[0]?.held ?? false;
}

/**
 * Callers no longer see it until the ledger was asked. False when moved on. `isAbandoned`: the
 * acceptor's lease has ended, so the key of a begun attempt is recorded in `lost_attempt`.
 */
export async function markWithdrawing(db: Queryable, id: bigint, isAbandoned = false): Promise<boolean> {
  const { rowCount } = await db.query(
    `with ${LOCK_JOB}, withdrawn as (
       update operation set state = 'withdrawing'
       where id = $1 and (state = 'created' or (state = 'stored' and payment = 'charge')) and ${JOB_LOCKED} returning id
     ), job_ended as (
       update job set ${endedRunColumns(SWEEPER_DELAY_MS)} from withdrawn where operation_id = withdrawn.id
       returning attempts
     ), noted as (
       insert into lost_attempt (account_id, action, request_key_digest)
       select k.account_id, k.action, k.request_key_digest from job_ended, request_key k
       where k.operation_id = $1 and job_ended.attempts > 0 and $2
       on conflict (account_id, action, request_key_digest) do nothing
     )
     select from withdrawn`,
    [id, isAbandoned],
  );
  return rowCount === 1;
}

export async function markChargedAgain(db: Queryable, id: bigint): Promise<void> {
  await db.query(
    `with ${LOCK_JOB} update operation set state = 'stored'
     where id = $1 and state = 'withdrawing' and payment = 'charge' and ${JOB_LOCKED}`,
    [id],
  );
}

/** Frees the key once the ledger holds nothing. Operations that callers saw stay. */
export async function deleteUndecided(db: Queryable, id: bigint): Promise<void> {
  await db.query(
    `with ${LOCK_JOB} delete from operation
     where id = $1 and (state in ('created', 'withdrawing') or (state = 'stored' and payment = 'charge')) and ${JOB_LOCKED}`,
    [id],
  );
}

export interface Ended {
  readonly id: bigint;
  readonly action: string;
  readonly payment: Payment;
  readonly seconds: number;
}

/** Returns the operations that moved. */
export async function markDelivered(db: Queryable, ids: readonly bigint[]): Promise<Ended[]> {
  const { rows } = await db.query<Ended>(
    `with ${LOCK_JOBS}, delivered as (
       update operation set state = 'delivered', ${FINISHED_NOW}, request_units = r.request_units,
         delivered_units = cardinality(r.settled_company_ids), fresh_evidence_units = r.fresh_evidence_units
       from result r
       where operation.id = any ($1) and state = 'stored' and r.operation_id = operation.id and ${JOB_LOCKED}
       returning operation.id, ${LIFETIME}
     ), ended as (
       delete from job using delivered where operation_id = delivered.id
     )
     select id, action, payment, seconds from delivered`,
    [ids],
  );
  return rows;
}

/** held or running → failing, by the holder of a lease. Undefined when the lease is lost. */
export async function markFailing(
  db: Queryable,
  id: bigint,
  fence: bigint,
  failure: StoredFailure,
): Promise<Operation | undefined> {
  const { rows } = await db.query<OperationRow>(
    `with ended as (
       update job set ${endedRunColumns(SWEEPER_DELAY_MS)} where operation_id = $1 and fence = $2 returning operation_id
     )
     update operation as o set state = 'failing', failure_code = $3, failure_message = $4
     from ended where o.id = ended.operation_id and o.state in ('held', 'running')
     returning ${OPERATION_COLUMNS}`,
    [id, fence, failureNameOf(failure.code), failure.message],
  );
  return rows[0] && toOperation(rows[0]);
}

/** stored → failing: the ledger will not settle it. Deletes the unseen result. */
export async function failUnsettled(db: Queryable, id: bigint, failure: StoredFailure): Promise<void> {
  await db.query(
    `with ${LOCK_JOB}, failing as (
       update operation set state = 'failing', failure_code = $2, failure_message = $3
       where id = $1 and state = 'stored' and payment = 'hold' and ${JOB_LOCKED} returning id
     )
     delete from result using failing where operation_id = $1`,
    [id, failureNameOf(failure.code), failure.message],
  );
}

/** failing → failed, once nothing is held. Undefined when it is not failing. */
export async function markFailed(db: Queryable, id: bigint): Promise<Ended | undefined> {
  const { rows } = await db.query<Ended>(
    `with ${LOCK_JOB}, failed as (
       update operation set state = 'failed', ${FINISHED_NOW}
       where id = $1 and state = 'failing' and ${JOB_LOCKED}
       returning id, ${LIFETIME}
     ), ended as (
       delete from job using failed where operation_id = failed.id
     )
     select id, action, payment, seconds from failed`,
    [id],
  );
  return rows[0];
}
