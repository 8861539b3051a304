import { setTimeout as pause } from 'node:timers/promises';
import type { HandlerContext } from '@connectrpc/connect';
import type { ObservationIndex } from '../index/observation-index.ts';

const LOOK_EVERY_MS = 15;
/** What of a deadline is kept for the search itself, in milliseconds. */
const SEARCH_SHARE_MS = 2_000;
/** Longest wait when the caller set no deadline, in milliseconds. */
const LONGEST_WAIT_MS = 10_000;

/** Waits until the index has passed a transaction of the record, or until the time of the call is nearly over. */
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
