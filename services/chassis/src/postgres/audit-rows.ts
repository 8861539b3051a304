import type { Queryable } from './pool.ts';

/** A row of a service's audit in the words that all of them share. */
export interface AuditRow {
  readonly id: bigint;
  readonly at: Date;
  readonly caller: string;
  readonly role: string | null;
  readonly reason: string | null;
  readonly action: string;
  /** A JSON object. */
  readonly detail: string;
}

/** Reads at most `limit` rows with ids below `beforeId`, or the newest where it is 0, newest first. */
export type ListAudit = (db: Queryable, beforeId: bigint, limit: number) => Promise<readonly AuditRow[]>;

/** Lists the table `audit` of a service, which says by an expression of SQL over its own columns what more a row has to tell, as jsonb. */
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
