import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Actor } from '@ces/chassis/rpc/caller';
import { RecordOutcome } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { type AuditEntry, insertAuditEntry } from '../db/audit.ts';

/** Only if something changed; acquisition documents its own runs. */
export async function auditRecorded(
  client: Queryable,
  actor: Actor,
  action: Extract<AuditEntry['action'], `record_${string}`>,
  source: string,
  outcomes: readonly { readonly outcome: RecordOutcome }[],
): Promise<void> {
  const count = (wanted: RecordOutcome) => outcomes.filter(({ outcome }) => outcome === wanted).length;
  const detail = { created: count(RecordOutcome.CREATED), amended: count(RecordOutcome.AMENDED) };
  if (actor.role === undefined || detail.created + detail.amended === 0) return;
  await insertAuditEntry(client, { actor, action, source, detail, reason: undefined });
}
