import { setTimeout as pause } from 'node:timers/promises';

/** Polls until `isSo` resolves with true. Returns the ms it took. Rejects after `withinMs`. */
export async function until(
  what: string,
  withinMs: number,
  isSo: () => Promise<boolean>,
  everyMs = 500,
): Promise<number> {
  const begun = performance.now();
  while (!(await isSo())) {
    if (performance.now() - begun > withinMs) throw new Error(`${what}: not within ${withinMs / 1_000} s`);
    await pause(everyMs);
  }
  return performance.now() - begun;
}
