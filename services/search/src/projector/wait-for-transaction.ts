import { setTimeout as pause } from 'node:timers/promises';
import type { HandlerContext } from '@connectrpc/connect';
import type { ObservationIndex } from '../index/observation-index.ts';

const LOOK_EVERY_MS = 15;
const SEARCH_SHARE_MS = 2_000;
const LONGEST_WAIT_MS = 10_000;

/** Returns early near the deadline or on abort. */
export async function waitForTransaction(
  index: ObservationIndex,
  tx: bigint,
  context: Pick<HandlerContext, 'signal' | 'timeoutMs'>,
): Promise<void> {
  const leftMs = context.timeoutMs();
  const waitMs = leftMs === undefined ? LONGEST_WAIT_MS : Math.max(0, leftMs - SEARCH_SHARE_MS);
  const deadline = performance.now() + waitMs;
  for (;;) {
    const { live, complete } = await index.feedState();
    if (live && (live.tx > tx || (live.tx === tx && complete))) return;
    if (performance.now() >= deadline || context.signal.aborted) return;
    await pause(LOOK_EVERY_MS);
  }
}
