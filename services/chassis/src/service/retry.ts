import { setTimeout as pause } from 'node:timers/promises';
import pRetry from 'p-retry';

export interface RetryOptions {
  /** Attempts in all, the first included; may be infinite. */
  readonly attempts: number;
  /** Pause after the first failed attempt, in milliseconds; each further one is twice as long, and all up to twice as long at random. */
  readonly firstPauseMs: number;
  /** Bound on a pause, in milliseconds. */
  readonly longestPauseMs?: number;
  /** Ends pauses, and attempts before they begin: the promise rejects with its reason. What an attempt under way returns counts. */
  readonly signal?: AbortSignal;
  /** Whether the same work may succeed later. Default: always. */
  readonly retryIf?: (error: unknown) => boolean;
  /** The pause that the other side asks for, in milliseconds; it is kept to where it is longer than ours. */
  readonly askedPauseMs?: (error: unknown) => number | undefined;
  /** Called after each failed attempt, the last included; attempts count from 1. */
  readonly onFailure?: (error: unknown, attempt: number) => void;
}

/** Runs `work` until it succeeds, at most so many times; rejects with the last error, or with the first that is not worth another attempt. */
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
    // The library lets an abort win over a success.
    if (done) return done.value;
    throw failureOf(error);
  }
}

/** What an attempt failed with. The library never repeats after a TypeError; whether to repeat is the caller's to say. */
class Attempt extends Error {
  override readonly name = 'Attempt';
}

function failureOf(error: unknown): unknown {
  return error instanceof Attempt ? error.cause : error;
}
