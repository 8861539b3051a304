import { auditLister } from '@ces/chassis/postgres/audit-rows';
import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Actor } from '@ces/chassis/rpc/caller';

export interface AuditEntry {
  readonly actor: Actor;
  readonly action:
    | 'withdraw'
    | 'restore'
    | 'take_down'
    | 'lift'
    | 'merge'
    | 'split'
    | 'unverify'
    | 'verify'
    | 'register_source'
    | 'record_companies'
    | 'record_evidence'
    | 'record_closings'
    | 'after_restore';
  readonly observationId?: bigint;
  readonly evidenceId?: bigint | undefined;
  readonly companyId?: bigint;
  readonly otherCompanyId?: bigint;
  readonly takeDownId?: bigint;
  readonly source?: string;
  readonly detail?: Readonly<Record<string, number>>;
  /** That of an operator takes precedence. */
  readonly reason: string | undefined;
}

export async function insertAuditEntry(client: Queryable, entry: AuditEntry): Promise<void> {
  await client.query(
    `insert into audit (caller, role, action, observation_id, evidence_id, company_id, other_company_id, take_down_id, source,
            reason, detail)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      entry.actor.name,
      entry.actor.role,
      entry.action,
      entry.observationId,
      entry.evidenceId,
      entry.companyId,
      entry.otherCompanyId,
      entry.takeDownId,
      entry.source,
      entry.actor.reason ?? entry.reason,
      JSON.stringify(entry.detail ?? {}),
    ],
  );
}

export const listAudit = auditLister(
  `jsonb_strip_nulls(jsonb_build_object(
    'observation_id', observation_id, 'evidence_id', evidence_id, 'company_id', company_id,
    'other_company_id', other_company_id, 'take_down_id', take_down_id, 'source', source)) || detail`,
);
