import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Actor } from '@ces/chassis/rpc/caller';
import { appendObservationChanges } from '../changes/change-feed.ts';
import { insertAuditEntry } from '../db/audit.ts';
import { lockCompaniesOfObservations } from '../db/company.ts';
import { countUpVersions } from '../db/observation.ts';
import type { Dependencies } from '../dependencies.ts';
import { withSharedResolutionLock } from '../resolution/resolution-lock.ts';
import { type Judged, markJudged } from './judge-observations.ts';

/**
 * Judges observations by what the record holds of them now and marks them, in one transaction with an audit row each and
 * their changes. `find` names them, after writing what it found of their evidence.
 */
export async function applyVerdicts(
  { pool, notifier }: Dependencies,
  actor: Actor,
  find: (client: Queryable) => Promise<readonly bigint[]>,
): Promise<{ tx: bigint | undefined; judged: readonly Judged[] }> {
  const applied = await withSharedResolutionLock(pool, async (client) => {
    const ids = await find(client);
    await lockCompaniesOfObservations(client, ids);
    const judged = await markJudged(client, ids);
    for (const { observationId, reason } of judged)
      await insertAuditEntry(client, {
        actor,
        action: reason === undefined ? 'verify' : 'unverify',
        observationId,
        reason,
      });
    const changed = judged.map((one) => one.observationId);
    await countUpVersions(client, changed);
    return { tx: await appendObservationChanges(client, changed), judged };
  });
  notifier.notify(applied.tx);
  return applied;
}
