import { setTimeout as sleep } from 'node:timers/promises';

/** Time as a watch sees it, so that tests can drive it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after so many milliseconds, or when the signal is aborted. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  pause: async (ms, signal) => await sleep(ms, undefined, { signal }).catch(() => undefined),
};
