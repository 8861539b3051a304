import type { Queryable } from '@ces/chassis/postgres/pool';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { appendObservationChanges } from '../changes/change-feed.ts';
import { type AuditEntry, insertAuditEntry } from '../db/audit.ts';
import { lockCompanyOfObservation } from '../db/company.ts';
import { incrementVersions } from '../db/observation.ts';
import type { Dependencies } from '../dependencies.ts';
import { withSharedResolutionLock } from '../resolution/resolution-lock.ts';

/**
 * Writes audit row and changes in the same transaction. `apply` returns whether anything changed;
 * undefined without such a row.
 */
export async function applyWithdrawal(
  { pool, notifier }: Dependencies,
  entry: AuditEntry & { readonly observationId: bigint },
  apply: (client: Queryable) => Promise<boolean | undefined>,
): Promise<{ tx: bigint; changed: boolean }> {
  const tx = await withSharedResolutionLock(pool, async (client) => {
    if (!(await lockCompanyOfObservation(client, entry.observationId)))
      throw fail(FailureCode.NOT_FOUND, 'No observation has that id.');
    const changed = await apply(client);
    if (changed === undefined) throw fail(FailureCode.NOT_FOUND, 'The observation has no evidence row of that id.');
    await insertAuditEntry(client, entry);
    if (!changed) return undefined;
    await incrementVersions(client, [entry.observationId]);
    return await appendObservationChanges(client, [entry.observationId]);
  });
  notifier.notify(tx);
  return { tx: tx ?? 0n, changed: tx !== undefined };
}
