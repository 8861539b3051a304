import { setTimeout as pause } from 'node:timers/promises';
import type { ObservationIndex } from '../index/observation-index.ts';

const LOOK_EVERY_MS = 15;

/** Waits until the index has passed a transaction of the record; false when the time was over first. */
export async function waitForTransaction(
  index: ObservationIndex,
  tx: bigint,
  waitMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const { live, complete } = await index.feedState();
    if (live && (live.tx > tx || (live.tx === tx && complete))) return true;
    if (performance.now() >= deadline || signal.aborted) return false;
    await pause(LOOK_EVERY_MS);
  }
}
