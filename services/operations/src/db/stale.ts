import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Operation } from '../operation/operation.ts';
import { failureNameOf, type StoredFailure } from '../operation/stored-failure.ts';
import { OPERATION_COLUMNS, type OperationRow, RESULT_COLUMNS, toOperation } from './operation-row.ts';

// What the sweeper looks for. Each statement takes at most `count`, oldest first.

/**
 * No caller was shown them, as far as this database knows: the lease under which they were accepted has ended, they were
 * stored longer ago than a lease and are not charged, or they are being withdrawn.
 */
export async function findAbandoned(db: Queryable, leaseMs: number, count: number): Promise<Operation[]> {
  const { rows } = await db.query<OperationRow>(
    `select ${OPERATION_COLUMNS}, ${RESULT_COLUMNS}
     from operation o left join job j on j.operation_id = o.id left join result r on r.operation_id = o.id
     where o.state = 'withdrawing' or (o.state = 'created' and j.due_at <= clock_timestamp())
       or (o.state = 'stored' and o.payment = 'charge'
           and o.stored_at < clock_timestamp() - $1 * interval '1 millisecond')
     order by o.id limit $2`,
    [leaseMs, count],
  );
  return rows.map(toOperation);
}

/** Stored under a hold, but not delivered for a while. */
export async function findUncollected(db: Queryable, olderThanMs: number, count: number): Promise<Operation[]> {
  const { rows } = await db.query<OperationRow>(
    `select ${OPERATION_COLUMNS}, ${RESULT_COLUMNS}
     from operation o join result r on r.operation_id = o.id
     where o.state = 'stored' and o.payment = 'hold'
       and o.stored_at < clock_timestamp() - $1 * interval '1 millisecond'
     order by o.id limit $2`,
    [olderThanMs, count],
  );
  return rows.map(toOperation);
}

/** Failing, and perhaps not yet given back at the ledger. */
export async function findFailing(db: Queryable, count: number): Promise<Operation[]> {
  const { rows } = await db.query<OperationRow>(
    `select ${OPERATION_COLUMNS} from operation o where o.state = 'failing' order by o.id limit $1`,
    [count],
  );
  return rows.map(toOperation);
}

/** held or running past the deadline → failing, whichever process holds the lease. Nothing that has a result has a job. */
export async function expireLate(db: Queryable, failure: StoredFailure, count: number): Promise<number> {
  return await failJobs(db, 'o.deadline_at <= clock_timestamp()', [], failure, count);
}

/** held or running with no attempt left and no lease → failing. */
export async function failExhausted(
  db: Queryable,
  maxAttempts: number,
  failure: StoredFailure,
  count: number,
): Promise<number> {
  return await failJobs(db, 'j.due_at <= clock_timestamp() and j.attempts >= $4', [maxAttempts], failure, count);
}

async function failJobs(
  db: Queryable,
  condition: string,
  values: unknown[],
  failure: StoredFailure,
  count: number,
): Promise<number> {
  const { rowCount } = await db.query(
    `with lost as (
       select j.operation_id from job j join operation o on o.id = j.operation_id
       where o.state in ('held', 'running') and ${condition}
       order by j.operation_id limit $3 for update of j skip locked
     ), ended as (
       delete from job using lost where job.operation_id = lost.operation_id returning job.operation_id
     )
     update operation set state = 'failing', failure_code = $1, failure_message = $2
     from ended where id = ended.operation_id and state in ('held', 'running')`,
    [failureNameOf(failure.code), failure.message, count, ...values],
  );
  return rowCount ?? 0;
}

/** Everything of old operations goes but the request key, which stays taken for ever (decision 0049). */
export async function retireOld(db: Queryable, retentionMs: number, count: number): Promise<number> {
  const { rowCount } = await db.query(
    `with old as (
       select id from operation
       where created_at < clock_timestamp() - $1 * interval '1 millisecond' and state in ('delivered', 'failed')
       limit $2 for update skip locked
     ), result_gone as (
       delete from result using old where operation_id = old.id
     ), shortlist_gone as (
       delete from shortlist using old where operation_id = old.id
     ), plan_gone as (
       delete from plan using old where operation_id = old.id
     )
     update operation set state = 'retired', normal_form = null, failure_code = null, failure_message = null
     from old where operation.id = old.id`,
    [retentionMs, count],
  );
  return rowCount ?? 0;
}
