import { setTimeout as pause } from 'node:timers/promises';
import pRetry from 'p-retry';

export interface RetryOptions {
  /** Total attempts including the first; may be Infinity. */
  readonly attempts: number;
  /**
   * Pause after the first failure, in milliseconds. It doubles with each failure, and a random
   * factor of 1 to 2 applies.
   */
  readonly firstPauseMs: number;
  readonly longestPauseMs?: number;
  /**
   * Aborts pauses and further attempts; `retry` then rejects with the reason. A result of the
   * attempt in progress still counts.
   */
  readonly signal?: AbortSignal;
  /** Whether an error is worth another attempt. Default: always. */
  readonly retryIf?: (error: unknown) => boolean;
  /** The pause that the server requests, in milliseconds; it applies if it is longer. */
  readonly askedPauseMs?: (error: unknown) => number | undefined;
  /** Called after each failed attempt including the last; attempts count from 1. */
  readonly onFailure?: (error: unknown, attempt: number) => void;
}

/** Rejects with the last error, or with the first one that `retryIf` refuses. */
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

/** Wraps each error, because p-retry never retries after a TypeError and `retryIf` decides here. */
class Attempt extends Error {
  override readonly name = 'Attempt';
}

function failureOf(error: unknown): unknown {
  return error instanceof Attempt ? error.cause : error;
}
