import { startLedTask } from '@ces/chassis/postgres/led-task';
import type { Pool } from '@ces/chassis/postgres/pool';
import { forgetCallLimits } from '../db/call-limit.ts';
import { DutyCycle } from '../maintenance/duty-cycle.ts';
import { type Led, MAINTENANCE } from '../maintenance/led.ts';

const BATCH = 1_000;
const EVERY_MS = 60_000;
/** It is longer than any bucket needs to refill, and longer than slots last. */
const UNUSED_MS = 3_600_000;

/**
 * Deletes unused limits and returns their number. Invalid keys from many addresses leave one row
 * each.
 */
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

export function startForgettingCallLimits({ pool, leases, logger }: Led): AsyncDisposable {
  return startLedTask(leases, {
    name: 'forgetting call limits',
    lease: MAINTENANCE,
    everyMs: EVERY_MS,
    run: async ({ signal }) => void (await forgetUnusedLimits(pool, signal)),
    logger,
  });
}
