import { setTimeout as pause } from 'node:timers/promises';

/** Two refreshes start at least this far apart, in milliseconds. */
const APART_MS = 150;

export type Refresh = (index: readonly string[]) => Promise<void>;

/** Coalesces concurrent calls into one refresh at a time. */
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
