import { auditLister } from '@ces/chassis/postgres/audit-rows';
import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Actor } from '@ces/chassis/rpc/caller';

export async function insertAudit(
  db: Queryable,
  { name, role, reason }: Actor,
  action: 'set_source' | 'run_source' | 'try_source' | 'ingest_document' | 'after_restore',
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  await db.query('insert into audit (caller, role, reason, action, details) values ($1, $2, $3, $4, $5)', [
    ...[name, role, reason],
    ...[action, JSON.stringify(details)],
  ]);
}

export const listAudit = auditLister('details');
