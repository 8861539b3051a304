import type { Pool } from '@ces/chassis/postgres/pool';
import { isTransient } from '@ces/chassis/rpc/error';
import { retry } from '@ces/chassis/service/retry';
import type { Claim } from '../db/claim.ts';
import { type Postponement, postpone } from '../db/job.ts';
import { LONGEST_PAUSE_MS } from '../db/steps.ts';

// Half of each pause is random, so that retries do not synchronise.
/** Short, so that work resumes soon after an outage. */
const MAX_OUTAGE_PAUSE_MS = 15_000;

/** Releasing is tried for about two minutes in all. */
const TRIES = 30;
const MAX_TRY_PAUSE_MS = 5_000;

export function afterFault({ attempts }: Claim, queue: Postponement['queue']): Postponement {
  return { afterMs: backoffMs(attempts, LONGEST_PAUSE_MS), queue, cause: 'fault' };
}

export function afterOutage({ outages }: Claim, queue: Postponement['queue']): Postponement {
  return { afterMs: backoffMs(outages + 1, MAX_OUTAGE_PAUSE_MS), queue, cause: 'outage' };
}

/** Retries, because an abandoned claim counts as a crash. No effect after another claim. */
export async function releaseClaim(
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
