import { setTimeout as pause } from 'node:timers/promises';

/**
 * Polls until `isSo` resolves with true, also past its rejections. Returns the ms it took. Rejects
 * after `withinMs` with the last reason.
 */
export async function until(what: string, withinMs: number, isSo: () => Promise<boolean>): Promise<number> {
  const begun = performance.now();
  for (;;) {
    let reason = '';
    const isDone = await isSo().catch((error: Error) => {
      reason = `: ${error.message}`;
      return false;
    });
    const took = performance.now() - begun;
    if (isDone) return took;
    if (took > withinMs) throw new Error(`${what}: not within ${withinMs / 1_000} s${reason}`);
    await pause(EVERY_MS);
  }
}

const EVERY_MS = 500;
