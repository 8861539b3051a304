import type { Pool } from '@ces/chassis/postgres/pool';
import { isTransient } from '@ces/chassis/rpc/error';
import { retry } from '@ces/chassis/service/retry';
import type { Claim } from '../db/claim.ts';
import { type Postponement, postpone } from '../db/job.ts';
import { LONGEST_PAUSE_MS } from '../db/steps.ts';

// Of each pause half is at random, so that work does not come back in step.
/** In milliseconds. Shorter than others: what waits for another service is to go on soon after it is back. */
const MAX_OUTAGE_PAUSE_MS = 15_000;

/** How often the database is asked to take a claim back, and the longest pause between, in milliseconds: about two minutes. */
const TRIES = 30;
const MAX_TRY_PAUSE_MS = 5_000;

/** The attempt counts; the next follows after a pause that doubles. */
export function afterFault({ attempts }: Claim, line: Postponement['line']): Postponement {
  return { afterMs: backoffMs(attempts, LONGEST_PAUSE_MS), line, cause: 'fault' };
}

/** The attempt was none. */
export function afterOutage({ outages }: Claim, line: Postponement['line']): Postponement {
  return { afterMs: backoffMs(outages + 1, MAX_OUTAGE_PAUSE_MS), line, cause: 'outage' };
}

/**
 * Gives a claim back, and goes on trying while the database is away: a claim that is only left counts as an attempt that ended
 * its process. Does nothing when another process has claimed it.
 */
export async function giveBack(
  { pool }: { readonly pool: Pool },
  { operation, fence }: Claim,
  postponement: Postponement,
  shutdown: AbortSignal,
): Promise<void> {
  const attempts = shutdown.aborted ? 1 : TRIES;
  await retry(() => postpone(pool, operation.id, fence, postponement), {
    ...{ attempts, firstPauseMs: 250, longestPauseMs: MAX_TRY_PAUSE_MS, retryIf: isTransient },
    ...(!shutdown.aborted && { signal: shutdown }),
  });
}

function backoffMs(times: number, longestMs: number): number {
  return Math.min(longestMs, 1000 * 2 ** (Math.min(times, 20) - 1)) * (0.5 + Math.random() / 2);
}
