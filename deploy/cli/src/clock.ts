import { setTimeout as sleep } from 'node:timers/promises';

export interface Clock {
  now(): number;
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  pause: async (ms, signal) => await sleep(ms, undefined, { signal }).catch(() => undefined),
};
