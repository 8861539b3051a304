import type { CesAnswer } from './answer.ts';
import { attempt, type Connection } from './attempt.ts';
import { CesError } from './error.ts';
import type { CesRequest } from './request.ts';
import { type RetryPolicy, Waits } from './retry.ts';
import { sleep } from './sleep.ts';

export interface CesAttempt {
  readonly method: string;
  /** Includes the query, but never the API key. */
  readonly path: string;
  readonly requestKey: string | undefined;
  /** Counted from 1. */
  readonly attempt: number;
  readonly durationMs: number;
  /** HTTP status; 0 without an answer. */
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
