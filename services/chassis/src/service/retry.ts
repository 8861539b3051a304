import { setTimeout as pause } from 'node:timers/promises';
import pRetry from 'p-retry';

export interface RetryOptions {
  readonly attempts: number;
  /** Doubles with each failure, times a random factor of 1 to 2. */
  readonly firstPauseMs: number;
  readonly longestPauseMs?: number;
  /** `retry` then rejects with the reason, unless the attempt in progress succeeds. */
  readonly signal?: AbortSignal;
  readonly retryIf?: (error: unknown) => boolean;
  readonly askedPauseMs?: (error: unknown) => number | undefined;
  /** Including the last; attempts count from 1. */
  readonly onFailure?: (error: unknown, attempt: number) => void;
}

/** Rejects with the last error, or with the first that `retryIf` refuses. */
export async function retry<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { attempts, firstPauseMs, longestPauseMs, signal, retryIf, askedPauseMs, onFailure } = options;
  let done: { readonly value: T } | undefined;
  const attempt = async () => {
    const value = await work().catch((error: unknown) => Promise.reject(new Attempt('failed', { cause: error })));
    done = { value };
    return value;
  };
  try {
    return await pRetry(attempt, {
      retries: attempts - 1,
      minTimeout: firstPauseMs,
      factor: 2,
      randomize: true,
      ...(longestPauseMs !== undefined && { maxTimeout: longestPauseMs }),
      ...(signal && { signal }),
      onFailedAttempt: ({ error, attemptNumber }) => onFailure?.(failureOf(error), attemptNumber),
      shouldRetry: async ({ error, retryDelay }) => {
        if (retryIf && !retryIf(failureOf(error))) return false;
        const longer = (askedPauseMs?.(failureOf(error)) ?? 0) - retryDelay;
        if (longer > 0) await pause(longer, undefined, signal && { signal });
        return true;
      },
    });
  } catch (error) {
    // p-retry prefers an abort to a success.
    if (done) return done.value;
    throw failureOf(error);
  }
}

/** p-retry never retries after a TypeError. */
class Attempt extends Error {
  override readonly name = 'Attempt';
}

function failureOf(error: unknown): unknown {
  return error instanceof Attempt ? error.cause : error;
}
