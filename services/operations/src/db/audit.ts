import { auditLister } from '@ces/chassis/postgres/audit-rows';
import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Actor } from '@ces/chassis/rpc/caller';

interface Deed {
  readonly actor: Actor;
  readonly action: 'show' | 'requeue' | 'reconcile' | 'after_restore';
  /** Undefined: the action concerns several operations. */
  readonly operationId?: bigint;
  readonly detail?: Readonly<Record<string, string | readonly string[]>>;
}

export async function insertAudit(db: Queryable, { actor, action, operationId, detail = {} }: Deed): Promise<void> {
  await db.query(
    'insert into audit (caller, role, reason, action, operation_id, detail) values ($1, $2, $3, $4, $5, $6)',
    [...[actor.name, actor.role, actor.reason], ...[action, operationId, JSON.stringify(detail)]],
  );
}

export const listAudit = auditLister(`jsonb_strip_nulls(jsonb_build_object('operation_id', operation_id)) || detail`);
