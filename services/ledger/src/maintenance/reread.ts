import type { Pool } from '@ces/chassis/postgres/pool';
import {
  findNextSubscription,
  type RereadPosition,
  readRereadPosition,
  saveRereadPosition,
} from '../db/drift-check.ts';
import { EVERYTHING, findNextEntries, type Range } from '../db/range.ts';
import { insertSuspectRange } from '../db/suspect-range.ts';
import { ENTRIES_A_STEP, findUnmatchedPostings, findWrongTotals } from '../db/verification.ts';
import type { DutyCycle } from './duty-cycle.ts';

/** Ranges that a pass reads again: some thousand entries, whatever the ledger holds. */
const STEPS_A_PASS = 16;

/**
 * Reads a little of what was compared long ago, so that damage to what is old is found as well: all of the ledger, subscription by
 * subscription, in as many passes as that takes, then from the start. What is wrong is remembered as suspect. `failed` is
 * called for what could not be read, which is left for the next time round.
 */
export async function reread(
  pool: Pool,
  dutyCycle: DutyCycle,
  failed: (subscriptionId: bigint, error: unknown) => void,
): Promise<void> {
  let position = await readRereadPosition(pool);
  for (let step = 0; step < STEPS_A_PASS; step += 1) {
    await dutyCycle.rest();
    const subscriptionId = position.subscriptionId || (await findNextSubscription(pool, 0n));
    if (subscriptionId === undefined) return;
    position = await rereadStep(pool, { ...position, subscriptionId }).catch(async (error) => {
      failed(subscriptionId, error);
      return await nextSubscription(pool, subscriptionId);
    });
    await saveRereadPosition(pool, position);
    if (position.subscriptionId === 0n) return;
  }
}

async function rereadStep(pool: Pool, { subscriptionId, at }: RereadPosition): Promise<RereadPosition> {
  const next = await findNextEntries(pool, subscriptionId, at, ENTRIES_A_STEP);
  const isLast = !next || next.entries < ENTRIES_A_STEP;
  const range: Range = isLast ? { after: at, until: EVERYTHING.until } : next;
  for (const find of [findWrongTotals, findUnmatchedPostings])
    if ((await find(pool, subscriptionId, range)).length > 0)
      await insertSuspectRange(pool, { subscriptionId, ...range });
  return isLast ? await nextSubscription(pool, subscriptionId) : { subscriptionId, at: range.until };
}

/** Subscription 0: that was the last one. */
async function nextSubscription(pool: Pool, subscriptionId: bigint): Promise<RereadPosition> {
  return { subscriptionId: (await findNextSubscription(pool, subscriptionId)) ?? 0n, at: EVERYTHING.after };
}
