import { inTransactionAfter, type Pool, type Queryable } from '@ces/chassis/postgres/pool';
import { credentialOf, decide, type Hold, type Movement, standingAfter } from '../allowance/posting.ts';
import { SUBSCRIPTION_REFUSED } from '../allowance/refusal.ts';
import { NO_UNITS } from '../allowance/units.ts';
import { lockSubscription, readStanding, type SubscriptionStanding } from '../db/balance-snapshot.ts';
import { readWorkingCredentials } from '../db/credential.ts';
import { leaveTombstone, readHolds } from '../db/hold.ts';
import { type Moved, MovementFault } from './result.ts';
import { type Step, writeSteps } from './write.ts';

/**
 * Applies movements of distinct operations in their order: one transaction, one lock, one commit (reliability.md 2.3).
 * A fault stays with its own movement.
 */
export async function applyMovements(
  pool: Pool,
  subscriptionId: bigint,
  movements: readonly Movement[],
): Promise<readonly (Moved | MovementFault)[]> {
  return await inTransactionAfter(
    pool,
    (client) => readUnderLock(client, subscriptionId, movements),
    async (client, { subscription, ...known }) =>
      subscription
        ? await writeSteps(client, subscription, decideAll(subscription, known, movements))
        : await refuseAll(client, movements),
  );
}

/** What is known of operations and credentials of a batch. */
interface Known {
  readonly holds: ReadonlyMap<bigint, Hold>;
  readonly workingCredentials: ReadonlySet<bigint>;
}

/** The statements run one after the other, so that those after the lock see what was committed before it was taken. */
async function readUnderLock(
  client: Queryable,
  subscriptionId: bigint,
  movements: readonly Movement[],
): Promise<Known & { readonly subscription: SubscriptionStanding | undefined }> {
  const operationIds = movements.map(({ operationId }) => operationId);
  const credentialIds = new Set(movements.map(credentialOf).filter((id) => id !== 0n));
  const [, subscription, holds, workingCredentials] = await Promise.all([
    lockSubscription(client, subscriptionId),
    readStanding(client, subscriptionId),
    readHolds(client, operationIds),
    readWorkingCredentials(client, subscriptionId, [...credentialIds]),
  ]);
  return { subscription, holds, workingCredentials };
}

function decideAll(
  subscription: SubscriptionStanding,
  { holds, workingCredentials }: Known,
  movements: readonly Movement[],
): readonly Step[] {
  let { standing } = subscription;
  return movements.map((movement, ordinal) => {
    const credentialId = credentialOf(movement);
    const decision = decide(movement, {
      ...subscription,
      standing,
      hold: holds.get(movement.operationId),
      credentialWorks: credentialId === 0n || workingCredentials.has(credentialId),
    });
    standing = standingAfter(standing, decision);
    return { operationId: movement.operationId, decision, standing, ordinal };
  });
}

/** Nobody has this subscription: every operation that is new gets its tombstone. */
async function refuseAll(
  client: Queryable,
  movements: readonly Movement[],
): Promise<readonly (Moved | MovementFault)[]> {
  const results: (Moved | MovementFault)[] = [];
  for (const movement of movements) {
    const units = 'units' in movement ? movement.units : NO_UNITS;
    const hold = await leaveTombstone(client, movement.operationId, units, SUBSCRIPTION_REFUSED);
    results.push(
      hold.subscriptionId === undefined
        ? { hold }
        : new MovementFault(
            `${movement.kind}: operation ${hold.operationId} belongs to subscription ${hold.subscriptionId}`,
          ),
    );
  }
  return results;
}
