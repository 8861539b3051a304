import { startLedTask } from '@ces/chassis/postgres/led-task';
import { forgetCallLimits } from '../db/call-limit.ts';
import type { Led } from '../maintenance/led.ts';

const EVERY_MS = 60_000;
/** Longer than any bucket takes to be full again, or than places are kept. */
const UNUSED_MS = 600_000;

/** Forgets limits that nobody uses any more every minute, in the process that leads. */
export function startForgettingCallLimits({ pool, leases, logger }: Led): AsyncDisposable {
  return startLedTask(leases, {
    name: 'forgetting call limits',
    lease: 'call-limits',
    everyMs: EVERY_MS,
    run: async () => void (await forgetCallLimits(pool, UNUSED_MS)),
    logger,
  });
}
