import type { Queryable } from '@ces/chassis/postgres/pool';

/** Who did what to which part of the record, and why. */
export interface AuditEntry {
  readonly caller: string;
  readonly action:
    | 'withdraw'
    | 'restore'
    | 'take_down'
    | 'lift'
    | 'merge'
    | 'split'
    | 'unverify'
    | 'verify'
    | 'register_source';
  readonly observationId?: bigint;
  /** Undefined: the whole observation. */
  readonly evidenceId?: bigint | undefined;
  readonly companyId?: bigint;
  readonly otherCompanyId?: bigint;
  readonly takeDownId?: bigint;
  readonly source?: string;
  readonly reason: string | undefined;
}

export async function insertAuditEntry(client: Queryable, entry: AuditEntry): Promise<void> {
  await client.query(
    `insert into audit (caller, action, observation_id, evidence_id, company_id, other_company_id, take_down_id, source,
            reason)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      entry.caller,
      entry.action,
      entry.observationId,
      entry.evidenceId,
      entry.companyId,
      entry.otherCompanyId,
      entry.takeDownId,
      entry.source,
      entry.reason,
    ],
  );
}
