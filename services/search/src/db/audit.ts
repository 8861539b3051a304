import { auditLister } from '@ces/chassis/postgres/audit-rows';
import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Actor } from '@ces/chassis/rpc/caller';

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

export const listAudit = auditLister(`'{}'::jsonb`);
