import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Actor } from '@ces/chassis/rpc/caller';
import { appendObservationChanges } from '../changes/change-feed.ts';
import { insertAuditEntry } from '../db/audit.ts';
import { lockCompaniesOfObservations } from '../db/company.ts';
import { incrementVersions } from '../db/observation.ts';
import type { Dependencies } from '../dependencies.ts';
import { withSharedResolutionLock } from '../resolution/resolution-lock.ts';
import { type Judged, markJudged } from './judge-observations.ts';

/** `write` stores findings before the observations are judged. */
interface ToJudge {
  readonly ids: readonly bigint[];
  readonly write?: () => Promise<void>;
}

/**
 * Marks, audit rows and changes in one transaction. `find` must not lock: companies are locked
 * first, as in every writer.
 */
export async function applyVerdicts(
  { pool, notifier }: Dependencies,
  actor: Actor,
  find: (client: Queryable) => Promise<ToJudge>,
): Promise<{ tx: bigint | undefined; judged: readonly Judged[] }> {
  const applied = await withSharedResolutionLock(pool, async (client) => {
    const { ids, write } = await find(client);
    await lockCompaniesOfObservations(client, ids);
    await write?.();
    const judged = await markJudged(client, ids);
    for (const { observationId, reason } of judged)
      await insertAuditEntry(client, {
        actor,
        action: reason === undefined ? 'verify' : 'unverify',
        observationId,
        reason,
      });
    const changed = judged.map((one) => one.observationId);
    await incrementVersions(client, changed);
    return { tx: await appendObservationChanges(client, changed), judged };
  });
  notifier.notify(applied.tx);
  return applied;
}
