import { setTimeout as pause } from 'node:timers/promises';

/** Looks until `isSo` says yes; rejects when that takes longer. Milliseconds that it took. */
export async function until(
  what: string,
  withinMs: number,
  isSo: () => Promise<boolean>,
  everyMs = 200,
): Promise<number> {
  const begun = performance.now();
  while (!(await isSo())) {
    if (performance.now() - begun > withinMs) throw new Error(`${what}: not within ${withinMs / 1_000} s`);
    await pause(everyMs);
  }
  return performance.now() - begun;
}
