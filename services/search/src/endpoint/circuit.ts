import type { Clock } from '@ces/chassis/service/clock';

export interface Circuit {
  /** After a pause, one call returns true as the probe; the pause restarts for all others. */
  mayAsk(): boolean;
  succeeded(): void;
  failed(): void;
}

const FAILURES = 5;
const PAUSE_MS = 10_000;

export function createCircuit(clock: Clock): Circuit {
  let failures = 0;
  let pausedUntil = 0;
  return {
    mayAsk() {
      const now = clock.now().getTime();
      if (failures < FAILURES) return true;
      /* A clock that was set back must not lengthen the pause. */
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
