import type { Queryable } from './pool.ts';

export interface AuditRow {
  readonly id: bigint;
  readonly at: Date;
  readonly caller: string;
  readonly role: string | null;
  readonly reason: string | null;
  readonly action: string;
  readonly detail: string;
}

/** Returns rows with ids below `beforeId` (0: no bound), newest first. */
export type ListAudit = (db: Queryable, beforeId: bigint, limit: number) => Promise<readonly AuditRow[]>;

/** `detail` is an SQL expression of type jsonb over the service's own `audit` columns. */
export function auditLister(detail: string): ListAudit {
  return async (db, beforeId, limit) => {
    const { rows } = await db.query<AuditRow>(
      `select id, at, caller, role, reason, action, (${detail})::text as detail
       from audit
       where $1::bigint = 0 or id < $1
       order by id desc
       limit $2`,
      [beforeId, limit],
    );
    return rows;
  };
}
