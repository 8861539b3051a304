import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Operation } from '../model/operation.ts';
import { failureNameOf, type StoredFailure } from '../model/stored-failure.ts';
import { type DequeueOptions, dequeueValues, FAIR_DEQUEUE } from './fair-dequeue.ts';
import { endedRunColumns } from './job.ts';
import { OPERATION_COLUMNS, type OperationRow, RESULT_COLUMNS, toOperation } from './operation-row.ts';

/** The pause between two takes of one operation doubles from the first to the longest. */
const FIRST_PAUSE_MS = 1_000;
export const LONGEST_PAUSE_MS = 60_000;

/**
 * Round-robin over accounts, oldest first within each; the pause doubles whatever the result.
 * Operations that may run after all return to their queue.
 */
export async function takeSteps(
  db: Queryable,
  dequeue: Omit<DequeueOptions, 'queue'>,
): Promise<{ readonly operations: Operation[]; readonly lastAccount: bigint | undefined }> {
  const { rows } = await db.query<OperationRow>(
    `with recursive ${FAIR_DEQUEUE}, marked as (
       update job set ready = false, tries = tries + 1, due_at = clock_timestamp()
         + least($8, $7 * 2 ^ least(tries, 20)) * (0.75 + random() / 4) * interval '1 millisecond'
       from taken where job.operation_id = taken.operation_id
     )
     select ${OPERATION_COLUMNS}, ${RESULT_COLUMNS}
     from taken join operation o on o.id = taken.operation_id left join result r on r.operation_id = o.id`,
    [...dequeueValues({ ...dequeue, queue: 'step' }), FIRST_PAUSE_MS, LONGEST_PAUSE_MS],
  );
  return { operations: rows.map(toOperation), lastAccount: rows.at(-1)?.account_id };
}

/**
 * held or running past the deadline → failing, regardless of the lease; at most `count`. Delayed by
 * an outage: `afterOutage`, else `late`.
 */
export async function expireLate(
  db: Queryable,
  { late, afterOutage }: { readonly late: StoredFailure; readonly afterOutage: StoredFailure },
  count: number,
): Promise<number> {
  const { rowCount } = await db.query(
    `with due as (
       select j.operation_id, j.outages > 0 as waited,
         case when o.state in ('held', 'running') then o.deadline_at end as deadline_at
       from lock_late_jobs($1) j left join operation o on o.id = j.operation_id
     ), otherwise as (
       update job set deadline_at = due.deadline_at
       from due where job.operation_id = due.operation_id and not coalesce(due.deadline_at <= clock_timestamp(), false)
     ), ended as (
       update job set ${endedRunColumns(0)}
       from due where job.operation_id = due.operation_id and due.deadline_at <= clock_timestamp()
       returning job.operation_id, due.waited
     )
     update operation set state = 'failing', failure_code = case when waited then $4 else $2 end,
       failure_message = case when waited then $5 else $3 end
     from ended where id = ended.operation_id and state in ('held', 'running')`,
    [count, failureNameOf(late.code), late.message, failureNameOf(afterOutage.code), afterOutage.message],
  );
  return rowCount ?? 0;
}

/** No attempt left and no lease → failing. Returns how many of `ids` changed. */
export async function failExhausted(
  db: Queryable,
  ids: readonly bigint[],
  maxAttempts: number,
  failure: StoredFailure,
): Promise<number> {
  const { rowCount } = await db.query(
    `with lost as (
       select j.operation_id from lock_free_jobs($1) j join operation o on o.id = j.operation_id
       where j.queue = 'step' and j.attempts >= $2 and o.state in ('held', 'running')
     ), ended as (
       update job set ${endedRunColumns(0)} from lost where job.operation_id = lost.operation_id returning job.operation_id
     )
     update operation set state = 'failing', failure_code = $3, failure_message = $4
     from ended where id = ended.operation_id and state in ('held', 'running')`,
    [ids, maxAttempts, failureNameOf(failure.code), failure.message],
  );
  return rowCount ?? 0;
}
