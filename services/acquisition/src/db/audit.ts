import type { Queryable } from '@ces/chassis/postgres/pool';

/** Remembers who changed what about a source. */
export async function insertAudit(
  db: Queryable,
  caller: string,
  action: 'set_source' | 'run_source' | 'ingest_document',
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  await db.query('insert into audit (caller, action, details) values ($1, $2, $3)', [
    caller,
    action,
    JSON.stringify(details),
  ]);
}
