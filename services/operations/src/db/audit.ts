import type { Queryable } from '@ces/chassis/postgres/pool';

/** Records which caller looked into an operation or requeued it. */
export async function insertAudit(
  db: Queryable,
  caller: string,
  action: 'show' | 'requeue',
  operationId: bigint,
): Promise<void> {
  await db.query('insert into audit (caller, action, operation_id) values ($1, $2, $3)', [caller, action, operationId]);
}
