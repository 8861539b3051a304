import { inTransaction, type Pool, type Queryable } from '@ces/chassis/postgres';
import { credentialOf, decide, type Movement, standingAfter } from '../allowance/movement.ts';
import { SUBSCRIPTION_REFUSED } from '../allowance/refusal.ts';
import { NO_UNITS } from '../allowance/units.ts';
import { readWorkingCredentials } from '../db/credential.ts';
import { leaveTombstone, readHolds } from '../db/hold.ts';
import { lockSubscription, readStanding, type SubscriptionStanding } from '../db/standing.ts';
import { type Moved, MovementFault } from './moved.ts';
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
  return await inTransaction(pool, async (client) => {
    const exists = await lockSubscription(client, subscriptionId);
    const subscription = exists ? await readStanding(client, subscriptionId) : undefined;
    if (!subscription) return await refuseAll(client, movements);
    return await writeSteps(client, subscription, await decideAll(client, subscription, movements));
  });
}

async function decideAll(
  client: Queryable,
  subscription: SubscriptionStanding,
  movements: readonly Movement[],
): Promise<readonly Step[]> {
  const holds = await readHolds(
    client,
    movements.map(({ operationId }) => operationId),
  );
  const credentialIds = new Set(movements.map(credentialOf).filter((id) => id !== 0n));
  const working = await readWorkingCredentials(client, subscription.accountId, [...credentialIds]);
  let { standing } = subscription;
  return movements.map((movement, ordinal) => {
    const credentialId = credentialOf(movement);
    const decision = decide(movement, {
      ...subscription,
      standing,
      hold: holds.get(movement.operationId),
      credentialWorks: credentialId === 0n || working.has(credentialId),
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
