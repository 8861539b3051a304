import type { Queryable } from '@ces/chassis/postgres/pool';
import type { StoredResult } from '../operation/result.ts';
import { resultValues } from './operation.ts';

/** Keeps what is delivered; never changed afterwards. */
export async function insertResult(db: Queryable, operationId: bigint, result: StoredResult): Promise<void> {
  await db.query(
    `insert into result (operation_id, render_version, items, details, settled_company_ids, request_units,
       fresh_evidence_units, as_of, judged_at, next_cursor)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [operationId, ...resultValues(result)],
  );
}

/** running → stored. False when the operation is no longer running. */
export async function markStored(db: Queryable, operationId: bigint): Promise<boolean> {
  const { rowCount } = await db.query(
    `update operation set state = 'stored', stored_at = clock_timestamp() where id = $1 and state = 'running'`,
    [operationId],
  );
  return rowCount === 1;
}
