import type { Clock } from '@ces/chassis/service/clock';

/** Spares an endpoint that keeps failing, and the callers who would wait for it. */
export interface Circuit {
  /** Whether it may be asked now; after a pause one caller tries, and the others wait for what that comes to. */
  mayAsk(): boolean;
  succeeded(): void;
  failed(): void;
}

/** Failures in succession that open it, and how long it stays open, in milliseconds. */
const FAILURES = 5;
const PAUSE_MS = 10_000;

export function createCircuit(clock: Clock): Circuit {
  let failures = 0;
  let pausedUntil = 0;
  return {
    mayAsk() {
      const now = clock.now().getTime();
      if (failures < FAILURES) return true;
      /* A clock that was set back may make the pause no longer than it is. */
      if (now < pausedUntil && pausedUntil - now <= PAUSE_MS) return false;
      pausedUntil = now + PAUSE_MS;
      return true;
    },
    succeeded() {
      failures = 0;
    },
    failed() {
      failures += 1;
      pausedUntil = clock.now().getTime() + PAUSE_MS;
    },
  };
}
