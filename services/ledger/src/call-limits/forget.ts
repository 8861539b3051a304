import { startLedTask } from '@ces/chassis/postgres/led-task';
import type { Pool } from '@ces/chassis/postgres/pool';
import { forgetCallLimits } from '../db/call-limit.ts';
import { DutyCycle } from '../maintenance/duty-cycle.ts';
import { type Led, MAINTENANCE } from '../maintenance/led.ts';

/** Rows of a kind in a statement. */
const BATCH = 1_000;
const EVERY_MS = 60_000;
/** As long as any bucket takes to be full again, and longer than places are kept. */
const UNUSED_MS = 3_600_000;

/** Forgets limits that nobody uses any more: whoever sends bad keys from many addresses leaves a row for each. Returns how many went. */
export async function forgetUnusedLimits(pool: Pool, signal: AbortSignal): Promise<number> {
  const dutyCycle = new DutyCycle(signal);
  let forgotten = 0;
  for (let taken = BATCH; taken >= BATCH; ) {
    await dutyCycle.rest();
    taken = await forgetCallLimits(pool, UNUSED_MS, BATCH);
    forgotten += taken;
  }
  return forgotten;
}

/** Forgets them every minute, in the process that leads. */
export function startForgettingCallLimits({ pool, leases, logger }: Led): AsyncDisposable {
  return startLedTask(leases, {
    name: 'forgetting call limits',
    lease: MAINTENANCE,
    everyMs: EVERY_MS,
    run: async ({ signal }) => void (await forgetUnusedLimits(pool, signal)),
    logger,
  });
}
