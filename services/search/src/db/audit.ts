import type { Queryable } from '@ces/chassis/postgres/pool';
import type { AuditRow } from '@ces/chassis/rpc/audit';
import type { Actor } from '@ces/chassis/rpc/caller';

/** Remembers who has the index made anew, and why. */
export async function insertAudit(
  db: Queryable,
  { name, role, reason }: Actor,
  action: 'rebuild_index' | 'after_restore',
): Promise<void> {
  await db.query('insert into audit (caller, role, reason, action) values ($1, $2, $3, $4)', [
    name,
    role,
    reason,
    action,
  ]);
}

/** Rows with ids below `beforeId`, or the newest where it is 0, newest first. */
export async function listAudit(db: Queryable, beforeId: bigint, limit: number): Promise<readonly AuditRow[]> {
  const { rows } = await db.query<AuditRow>(
    `select id, at, caller, role, reason, action, '{}' as detail
     from audit
     where $1::bigint = 0 or id < $1
     order by id desc
     limit $2`,
    [beforeId, limit],
  );
  return rows;
}
