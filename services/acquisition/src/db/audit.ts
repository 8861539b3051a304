import type { Queryable } from '@ces/chassis/postgres/pool';
import type { AuditRow } from '@ces/chassis/rpc/audit';
import type { Actor } from '@ces/chassis/rpc/caller';

/** Remembers who changed what, and why. */
export async function insertAudit(
  db: Queryable,
  { name, role, reason }: Actor,
  action: 'set_source' | 'run_source' | 'ingest_document' | 'after_restore',
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  await db.query('insert into audit (caller, role, reason, action, details) values ($1, $2, $3, $4, $5)', [
    ...[name, role, reason],
    ...[action, JSON.stringify(details)],
  ]);
}

/** Rows with ids below `beforeId`, or the newest where it is 0, newest first. */
export async function listAudit(db: Queryable, beforeId: bigint, limit: number): Promise<readonly AuditRow[]> {
  const { rows } = await db.query<AuditRow>(
    `select id, at, caller, role, reason, action, details::text as detail
     from audit
     where $1::bigint = 0 or id < $1
     order by id desc
     limit $2`,
    [beforeId, limit],
  );
  return rows;
}
