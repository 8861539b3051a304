import type { Queryable } from '@ces/chassis/postgres/pool';

/** Remembers who looked into an operation or rang for it. */
export async function insertAudit(
  db: Queryable,
  caller: string,
  action: 'show' | 'requeue',
  operationId: bigint,
): Promise<void> {
  await db.query('insert into audit (caller, action, operation_id) values ($1, $2, $3)', [caller, action, operationId]);
}
