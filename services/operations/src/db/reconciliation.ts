import type { Queryable } from '@ces/chassis/postgres/pool';
import type { HeldOperation } from '../ledger/ledger.ts';
import type { Operation } from '../model/operation.ts';
import { failureNameOf, type StoredFailure } from '../model/stored-failure.ts';
import { endedRunColumns, JOB_LOCKED, LOCK_JOB, SWEEPER_DELAY_MS } from './job.ts';
import { OPERATION_COLUMNS, type OperationRow, RESULT_COLUMNS, toOperation } from './operation-row.ts';

export async function listMetered(db: Queryable, afterId: bigint, count: number): Promise<Operation[]> {
  const { rows } = await db.query<OperationRow>(
    `select ${OPERATION_COLUMNS}, ${RESULT_COLUMNS}
     from operation o left join result r on r.operation_id = o.id
     where o.id > $1 and o.payment <> 'none'
     order by o.id limit $2`,
    [afterId, count],
  );
  return rows.map(toOperation);
}

/** A number with another identity does not match. */
export async function findKnown(db: Queryable, asked: readonly HeldOperation[]): Promise<ReadonlySet<bigint>> {
  const { rows } = await db.query<{ id: bigint }>(
    `select o.id from unnest($1::bigint[], $2::uuid[]) as asked (id, identity)
     join operation o on o.id = asked.id and o.identity = asked.identity`,
    [asked.map(({ id }) => id), asked.map(({ identity }) => identity)],
  );
  return new Set(rows.map((row) => row.id));
}

/** held or running → failing, regardless of the lease: the ledger will never settle it. */
export async function failUnpaid(db: Queryable, id: bigint, failure: StoredFailure): Promise<void> {
  await db.query(
    `with ${LOCK_JOB}, failing as (
       update operation set state = 'failing', failure_code = $2, failure_message = $3
       where id = $1 and state in ('held', 'running') and ${JOB_LOCKED} returning id
     )
     update job set ${endedRunColumns(SWEEPER_DELAY_MS)} from failing where operation_id = failing.id`,
    [id, failureNameOf(failure.code), failure.message],
  );
}
