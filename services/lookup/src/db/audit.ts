import type { Queryable } from '@ces/chassis/postgres';

/** Who withdrew or restored what, and why. */
export interface AuditEntry {
  readonly caller: string;
  readonly action: 'withdraw' | 'restore';
  readonly observationId: bigint;
  /** Undefined: the whole observation. */
  readonly evidenceId: bigint | undefined;
  readonly reason: string | undefined;
}

export async function insertAuditEntry(client: Queryable, entry: AuditEntry): Promise<void> {
  await client.query(
    'insert into audit (caller, action, observation_id, evidence_id, reason) values ($1, $2, $3, $4, $5)',
    [entry.caller, entry.action, entry.observationId, entry.evidenceId, entry.reason],
  );
}
