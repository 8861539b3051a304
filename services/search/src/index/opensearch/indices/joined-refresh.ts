import { setTimeout as pause } from 'node:timers/promises';

/** From the beginning of one refresh to that of the next, in milliseconds, at least. */
const APART_MS = 150;

/** Makes all that was written to these indices before the call visible to searches. */
export type Refresh = (index: readonly string[]) => Promise<void>;

/** One refresh serves all who wait for it: one at a time, and the next begins no sooner than 150 ms after the one before began. */
export function createJoinedRefresh(refresh: (index: string[]) => Promise<void>): Refresh {
  let waiting: { readonly index: Set<string>; readonly done: Promise<void> } | undefined;
  let running: Promise<unknown> = Promise.resolve();
  let begunAt = Number.NEGATIVE_INFINITY;
  const join = () => {
    const index = new Set<string>();
    const done = running.then(async () => {
      await pause(Math.max(0, begunAt + APART_MS - performance.now()));
      waiting = undefined;
      begunAt = performance.now();
      await refresh([...index].toSorted());
    });
    running = done.catch(() => undefined);
    return { index, done };
  };
  return async (index) => {
    if (index.length === 0) return;
    waiting ??= join();
    for (const one of index) waiting.index.add(one);
    await waiting.done;
  };
}
