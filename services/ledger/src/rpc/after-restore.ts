import { advanceSequences } from '@ces/chassis/postgres/advance-sequences';
import { inTransaction } from '@ces/chassis/postgres/pool';
import type { Actor } from '@ces/chassis/rpc/caller';
import { insertAudit } from '../db/audit.ts';
import { renewPrincipalEpoch } from '../db/principal-change.ts';
import { renewHistories } from '../db/subscription.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * Other services may know lost numbers, so sequences skip them. New versions invalidate caches;
 * operations repeats the lost postings.
 */
export async function afterRestore({ pool }: Dependencies, actor: Actor) {
  const sequences = await inTransaction(pool, async (client) => {
    const skipped = await advanceSequences(client);
    await renewHistories(client);
    await insertAudit(client, { actor, action: 'AfterRestore', subjectId: 'ledger', detail: { skipped } });
    await renewPrincipalEpoch(client);
    return skipped;
  });
  return { steps: [{ what: 'sequences of the ledger moved on', count: BigInt(sequences) }] };
}
