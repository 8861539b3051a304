import type { Pool } from '@ces/chassis/postgres/pool';
import { appendTotals, readLastTotal } from '../db/entry-total.ts';
import { findNextEntries, type Range } from '../db/range.ts';
import { readNextHolds, readSubscriptionCheck, saveSubscriptionCheck } from '../db/subscription-check.ts';
import { insertSuspectRange } from '../db/suspect-range.ts';
import { findOversteppedLimits } from '../db/verification/overstepped-limits.ts';
import { ENTRIES_A_STEP } from '../db/verification/subscription.ts';
import { findUnmatchedEntries } from '../db/verification/unmatched-postings.ts';
import type { DutyCycle } from './duty-cycle.ts';

const HOLDS_A_STEP = 1_024;

/** Steps that a pass may still take beyond the first of each subscription. */
export interface Budget {
  steps: number;
}

/**
 * Compares what was written on a subscription since it was compared last: entries after its last total, which are few, and all
 * new ones, and holds. Totals are appended on the way; a range in which something is wrong is remembered as suspect.
 * `lastAt` is the last instant of the subscription, read before. What it has done it does not do again after a restart. Returns
 * whether it came to the end: of what no pass has read yet there may be more than the budget allows.
 */
export async function checkSubscription(
  pool: Pool,
  { subscriptionId, lastAt }: { readonly subscriptionId: bigint; readonly lastAt: string },
  budget: Budget,
  dutyCycle: DutyCycle,
): Promise<boolean> {
  const isWhole = await checkEntries(pool, subscriptionId, budget, dutyCycle);
  return (await checkHolds(pool, subscriptionId, isWhole ? lastAt : '-infinity', budget, dutyCycle)) && isWhole;
}

async function checkEntries(
  pool: Pool,
  subscriptionId: bigint,
  budget: Budget,
  dutyCycle: DutyCycle,
): Promise<boolean> {
  for (let after = await readLastTotal(pool, subscriptionId); ; ) {
    await dutyCycle.rest();
    const range = await findNextEntries(pool, subscriptionId, after, ENTRIES_A_STEP);
    if (!range) return true;
    if (!(await isSound(pool, subscriptionId, range))) await insertSuspectRange(pool, { subscriptionId, ...range });
    await appendTotals(pool, subscriptionId, range);
    if (range.entries < ENTRIES_A_STEP) return true;
    if (budget.steps <= 0) return false;
    budget.steps -= 1;
    after = range.until;
  }
}

async function isSound(pool: Pool, subscriptionId: bigint, range: Range): Promise<boolean> {
  for (const find of [findUnmatchedEntries, findOversteppedLimits])
    if ((await find(pool, subscriptionId, range)).length > 0) return false;
  return true;
}

async function checkHolds(
  pool: Pool,
  subscriptionId: bigint,
  checkedAt: string,
  budget: Budget,
  dutyCycle: DutyCycle,
): Promise<boolean> {
  for (let check = await readSubscriptionCheck(pool, subscriptionId); ; ) {
    await dutyCycle.rest();
    const read = await readNextHolds(pool, subscriptionId, check, HOLDS_A_STEP);
    for (const range of read.orphans) await insertSuspectRange(pool, { subscriptionId, ...range });
    const isLast = read.holds < HOLDS_A_STEP;
    await saveSubscriptionCheck(pool, subscriptionId, read, isLast ? checkedAt : '-infinity');
    if (isLast) return true;
    if (budget.steps <= 0) return false;
    budget.steps -= 1;
    check = read;
  }
}
