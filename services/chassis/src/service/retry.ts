import { setTimeout as pause } from 'node:timers/promises';
import pRetry from 'p-retry';

export interface RetryOptions {
  /** Attempts in all, the first included; may be infinite. */
  readonly attempts: number;
  /** Pause after the first failed attempt, in milliseconds; each further one is twice as long, and all up to twice as long at random. */
  readonly firstPauseMs: number;
  /** Bound on a pause, in milliseconds. */
  readonly longestPauseMs?: number;
  /** Ends attempts and pauses: the promise rejects with its reason. */
  readonly signal?: AbortSignal;
  /** Whether the same work may succeed later. Default: always. A TypeError never is: that is a mistake of the code. */
  readonly retryIf?: (error: Error) => boolean;
  /** The pause that the other side asks for, in milliseconds; it is kept to where it is longer than ours. */
  readonly askedPauseMs?: (error: Error) => number | undefined;
  /** Called after each failed attempt, the last included; attempts count from 1. */
  readonly onFailure?: (error: Error, attempt: number) => void;
}

/** Runs `work` until it succeeds, at most so many times; rejects with the last error, or with the first that is not worth another attempt. */
export function retry<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { attempts, firstPauseMs, longestPauseMs, signal, retryIf, askedPauseMs, onFailure } = options;
  return pRetry(work, {
    retries: attempts - 1,
    minTimeout: firstPauseMs,
    factor: 2,
    randomize: true,
    ...(longestPauseMs !== undefined && { maxTimeout: longestPauseMs }),
    ...(signal && { signal }),
    onFailedAttempt: ({ error, attemptNumber }) => onFailure?.(error, attemptNumber),
    shouldRetry: async ({ error, retryDelay }) => {
      if (retryIf && !retryIf(error)) return false;
      const longer = (askedPauseMs?.(error) ?? 0) - retryDelay;
      if (longer > 0) await pause(longer, undefined, signal && { signal });
      return true;
    },
  });
}
