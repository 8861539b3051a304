import type { CesAnswer } from './answer.ts';
import { attempt, type Connection } from './attempt.ts';
import { CesError } from './error.ts';
import type { CesRequest } from './request.ts';
import { type RetryPolicy, Waits } from './retry.ts';
import { sleep } from './sleep.ts';

/** One attempt of a call, as `onAttempt` sees it when it is over. */
export interface CesAttempt {
  readonly method: string;
  /** With its query, without the API key. */
  readonly path: string;
  readonly requestKey: string | undefined;
  /** From 1. */
  readonly attempt: number;
  readonly durationMs: number;
  /** HTTP status; 0 when nothing answered. */
  readonly status: number;
  readonly error: CesError | undefined;
  /** Milliseconds until the next attempt; undefined after the last. */
  readonly waitMs: number | undefined;
}

export interface TransportOptions {
  readonly connection: Connection;
  readonly retry: RetryPolicy;
  readonly onAttempt: ((attempt: CesAttempt) => void) | undefined;
}

export interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  readonly waitForAllowance?: boolean | number | undefined;
}

/** Sends requests, each as often as it takes, with the same key and body every time. */
export class Transport {
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /** Throws the CesError of the last attempt, or the reason of the signal. */
  async send(request: CesRequest, { signal, waitForAllowance }: SendOptions = {}): Promise<CesAnswer> {
    const waits = new Waits(this.#options.retry, waitForAllowance);
    for (let number = 1; ; number += 1) {
      const outcome = await this.#try(request, number, waits, signal);
      if ('answer' in outcome) return outcome.answer;
      await sleep(outcome.waitMs, signal);
    }
  }

  async #try(
    request: CesRequest,
    number: number,
    waits: Waits,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly answer: CesAnswer } | { readonly waitMs: number }> {
    const from = performance.now();
    const report = (status: number, error?: CesError, waitMs?: number) => {
      const { method, path, requestKey } = request;
      const durationMs = performance.now() - from;
      this.#options.onAttempt?.({ method, path, requestKey, attempt: number, durationMs, status, error, waitMs });
    };
    try {
      const answer = await attempt(this.#options.connection, request, signal);
      report(answer.status);
      return { answer };
    } catch (error) {
      if (!(error instanceof CesError)) throw error;
      const waitMs = waits.after(error);
      report(error.status, error, waitMs);
      if (waitMs === undefined) throw error;
      return { waitMs };
    }
  }
}
