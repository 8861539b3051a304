import type { Queryable } from '@ces/chassis/postgres/pool';
import { appendObservationChanges } from '../changes/change-feed.ts';
import { lockCompaniesOfObservations } from '../db/company.ts';
import { incrementVersions } from '../db/observation.ts';
import type { Hit } from '../db/take-down-hit.ts';
import type { Dependencies } from '../dependencies.ts';
import { withSharedResolutionLock } from '../resolution/resolution-lock.ts';

export interface AppliedPage {
  readonly changed: readonly Hit[];
  readonly tx: bigint | undefined;
}

export async function applyHits(
  { pool, notifier }: Dependencies,
  hits: readonly Hit[],
  apply: (client: Queryable) => Promise<Hit[]>,
): Promise<AppliedPage> {
  const applied = await withSharedResolutionLock(pool, async (client) => {
    await lockCompaniesOfObservations(
      client,
      hits.map((hit) => hit.observationId),
    );
    const changed = await apply(client);
    const ids = [...new Set(changed.map((hit) => hit.observationId))];
    await incrementVersions(client, ids);
    return { changed, tx: await appendObservationChanges(client, ids) };
  });
  notifier.notify(applied.tx);
  return applied;
}

export class AppliedTotals {
  pages = 0;
  readonly sums = { observations: 0n, evidence: 0n, tx: 0n };

  add({ changed, tx = 0n }: AppliedPage): void {
    this.pages += 1;
    const whole = changed.filter((hit) => hit.evidenceId === 0n).length;
    this.sums.observations += BigInt(whole);
    this.sums.evidence += BigInt(changed.length - whole);
    if (tx > this.sums.tx) this.sums.tx = tx;
  }
}
