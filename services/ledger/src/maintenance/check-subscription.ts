import type { Pool } from '@ces/chassis/postgres/pool';
import { appendTotals, ENTRIES_A_STEP } from '../db/entry-total.ts';
import { findNextEntries, type Range } from '../db/range.ts';
import {
  readNextHolds,
  readSubscriptionCheck,
  type SubscriptionCheck,
  saveSubscriptionCheck,
} from '../db/subscription-check.ts';
import { insertSuspectRange } from '../db/suspect-range.ts';
import { findOversteppedLimits } from '../db/verification/overstepped-limits.ts';
import { findUnmatchedEntries } from '../db/verification/unmatched-postings.ts';
import type { DutyCycle } from './duty-cycle.ts';

const HOLDS_A_STEP = 1_024;

export interface Budget {
  steps: number;
}

/**
 * Appends totals and records wrong ranges as suspect. Saves its progress. False if the budget runs
 * out.
 */
export async function checkSubscription(
  pool: Pool,
  { subscriptionId, lastAt }: { readonly subscriptionId: bigint; readonly lastAt: string },
  budget: Budget,
  dutyCycle: DutyCycle,
): Promise<boolean> {
  const check = await readSubscriptionCheck(pool, subscriptionId);
  const { entriesAt, isWhole } = await checkEntries(pool, subscriptionId, check.entriesAt, budget, dutyCycle);
  const checkedAt = isWhole ? lastAt : '-infinity';
  return (await checkHolds(pool, subscriptionId, { ...check, entriesAt }, checkedAt, budget, dutyCycle)) && isWhole;
}

/** Goes back to the last total that remains. Returns how far it came and if that is the end. */
async function checkEntries(
  pool: Pool,
  subscriptionId: bigint,
  from: string,
  budget: Budget,
  dutyCycle: DutyCycle,
): Promise<{ readonly entriesAt: string; readonly isWhole: boolean }> {
  for (let after = from; ; ) {
    await dutyCycle.rest();
    const range = await findNextEntries(pool, subscriptionId, after, ENTRIES_A_STEP);
    if (!range) return { entriesAt: after, isWhole: true };
    if (!(await isSound(pool, subscriptionId, range))) await insertSuspectRange(pool, { subscriptionId, ...range });
    const forgotten = await appendTotals(pool, subscriptionId, range.until);
    after = forgotten ?? range.until;
    if (forgotten === undefined && range.entries < ENTRIES_A_STEP) return { entriesAt: after, isWhole: true };
    if (budget.steps <= 0) return { entriesAt: after, isWhole: false };
    budget.steps -= 1;
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
  from: SubscriptionCheck,
  checkedAt: string,
  budget: Budget,
  dutyCycle: DutyCycle,
): Promise<boolean> {
  for (let check = from; ; ) {
    await dutyCycle.rest();
    const { orphans, holds, ...read } = await readNextHolds(pool, subscriptionId, check, HOLDS_A_STEP);
    for (const range of orphans) await insertSuspectRange(pool, { subscriptionId, ...range });
    const isLast = holds < HOLDS_A_STEP;
    check = { ...check, ...read };
    await saveSubscriptionCheck(pool, subscriptionId, check, isLast ? checkedAt : '-infinity');
    if (isLast) return true;
    if (budget.steps <= 0) return false;
    budget.steps -= 1;
  }
}
