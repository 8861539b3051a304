import type { Queryable } from '@ces/chassis/postgres/pool';
import type { AuditRow } from '@ces/chassis/rpc/audit';
import type { Actor } from '@ces/chassis/rpc/caller';

/** What an administrative call changed. */
export interface Change {
  /** Who, and why. */
  readonly actor: Actor;
  /** Name of the RPC. */
  readonly action: string;
  readonly subjectId: bigint | string;
  /** What was asked, without secrets. */
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Leaves the audit row of a change; call it in the transaction of the change. */
export async function insertAudit(db: Queryable, { actor, action, subjectId, detail }: Change): Promise<void> {
  await db.query(
    'insert into audit (caller, role, reason, action, subject_id, detail) values ($1, $2, $3, $4, $5, $6)',
    [
      ...[actor.name, actor.role, actor.reason, action, String(subjectId)],
      JSON.stringify(detail, (_key, value) => (typeof value === 'bigint' ? value.toString() : value)),
    ],
  );
}

/** Rows with ids below `beforeId`, or the newest where it is 0, newest first. */
export async function listAudit(db: Queryable, beforeId: bigint, limit: number): Promise<readonly AuditRow[]> {
  const { rows } = await db.query<AuditRow>(
    `select id, at, caller, role, reason, action, (jsonb_build_object('subject_id', subject_id) || detail)::text as detail
     from audit
     where $1::bigint = 0 or id < $1
     order by id desc
     limit $2`,
    [beforeId, limit],
  );
  return rows;
}
