import { startLedTask } from '@ces/chassis/postgres/led-task';
import type { Pool } from '@ces/chassis/postgres/pool';
import { forgetRefusals } from '../db/retention.ts';
import { DutyCycle } from './duty-cycle.ts';
import { type Led, MAINTENANCE } from './led.ts';

/** Rows of a statement. */
const BATCH = 500;
const EVERY_MS = 60_000;

/**
 * Deletes tombstones an hour after they were left. The same call comes again within minutes; one that comes later all the same, from a
 * process that was stopped, is refused for the age of its number. The next tombstones are at the front of an index of a table of their
 * own, so that a pass costs what it deletes. Returns how many went.
 */
export async function forgetOldRefusals(pool: Pool, signal: AbortSignal): Promise<number> {
  const dutyCycle = new DutyCycle(signal);
  let forgotten = 0;
  for (let taken = BATCH; taken === BATCH; ) {
    await dutyCycle.rest();
    taken = await forgetRefusals(pool, BATCH);
    forgotten += taken;
  }
  return forgotten;
}

/** Forgets refusals every minute, in the process that leads. */
export function startForgettingRefusals({ pool, leases, logger }: Led): AsyncDisposable {
  return startLedTask(leases, {
    name: 'forgetting refusals',
    lease: MAINTENANCE,
    everyMs: EVERY_MS,
    immediately: true,
    run: async ({ signal }) => void (await forgetOldRefusals(pool, signal)),
    logger,
  });
}
