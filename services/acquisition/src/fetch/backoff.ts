import { setTimeout as pause } from 'node:timers/promises';
import { FetchFailed } from './errors.ts';

const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 500;
/** A source that asks for more is left alone until the next run. */
const LONGEST_PAUSE_MS = 60_000;

/** Tries again what may go well later: pauses double, with jitter, and are at least what the source asks for. */
export async function withBackoff<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof FetchFailed) || !error.transient || attempt === ATTEMPTS) throw error;
      const own = FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random());
      const wait = Math.max(own, error.retryAfterMs ?? 0);
      if (wait > LONGEST_PAUSE_MS) throw error;
      await pause(wait, undefined, { signal });
    }
  }
}
