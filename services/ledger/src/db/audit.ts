import type { Queryable } from '@ces/chassis/postgres/pool';

/** What an administrative call changed. */
export interface Change {
  /** Proven name of the caller. */
  readonly caller: string;
  /** Name of the RPC. */
  readonly action: string;
  readonly subjectId: bigint | string;
  /** What was asked, without secrets. */
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Leaves the audit row of a change; call it in the transaction of the change. */
export async function insertAudit(db: Queryable, { caller, action, subjectId, detail }: Change): Promise<void> {
  await db.query('insert into audit (caller, action, subject_id, detail) values ($1, $2, $3, $4)', [
    caller,
    action,
    String(subjectId),
    JSON.stringify(detail, (_key, value) => (typeof value === 'bigint' ? value.toString() : value)),
  ]);
}
