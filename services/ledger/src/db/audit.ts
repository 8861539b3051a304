import { auditLister } from '@ces/chassis/postgres/audit-rows';
import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Actor } from '@ces/chassis/rpc/caller';

export interface Change {
  readonly actor: Actor;
  readonly action: string;
  readonly subjectId: bigint | string;
  readonly detail: Readonly<Record<string, unknown>>;
}

export async function insertAudit(db: Queryable, { actor, action, subjectId, detail }: Change): Promise<void> {
  await db.query(
    'insert into audit (caller, role, reason, action, subject_id, detail) values ($1, $2, $3, $4, $5, $6)',
    [
      ...[actor.name, actor.role, actor.reason, action, String(subjectId)],
      JSON.stringify(detail, (_key, value) => (typeof value === 'bigint' ? value.toString() : value)),
    ],
  );
}

export const listAudit = auditLister(`jsonb_build_object('subject_id', subject_id) || detail`);
