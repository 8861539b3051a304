import type { CesError } from './error.ts';

/** All times are in milliseconds. */
export interface RetryPolicy {
  readonly maxAttempts: number;
  readonly maxWaitMs: number;
}

const FIRST_BACKOFF_MS = 500;
const LAST_BACKOFF_MS = 10_000;
/** The idempotency key makes retries safe, whatever happened to the previous attempt. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

export class Waits {
  readonly #policy: RetryPolicy;
  readonly #random: () => number;
  #attempts = 1;
  #allowanceMs: number;

  /** `allowance` is the maximum total wait for units, in milliseconds; true means no limit. */
  constructor(policy: RetryPolicy, allowance: boolean | number = 0, random: () => number = Math.random) {
    this.#policy = policy;
    this.#random = random;
    this.#allowanceMs = allowance === true ? Number.POSITIVE_INFINITY : Number(allowance);
  }

  /** Undefined when the call must not be retried. */
  after(error: CesError): number | undefined {
    return error.code === 'request_limit_reached' ? this.#forAllowance(error) : this.#forRecovery(error);
  }

  /** Attempts refused for lack of allowance do not count. */
  #forAllowance({ retryAfterMs }: CesError): number | undefined {
    if (retryAfterMs === undefined) return undefined;
    const waitMs = Math.max(retryAfterMs, LEAST_ALLOWANCE_WAIT_MS);
    if (waitMs > this.#allowanceMs) return undefined;
    this.#allowanceMs -= waitMs;
    return waitMs;
  }

  /** The wait that the service requests, plus exponential backoff with full jitter. */
  #forRecovery(error: CesError): number | undefined {
    const { maxAttempts, maxWaitMs } = this.#policy;
    const askedMs = error.retryAfterMs ?? 0;
    if (this.#attempts >= maxAttempts || askedMs > maxWaitMs || !isTransient(error)) return undefined;
    const backoffMs = Math.min(LAST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (this.#attempts - 1));
    this.#attempts += 1;
    return Math.min(maxWaitMs, askedMs + this.#random() * backoffMs);
  }
}

const LEAST_ALLOWANCE_WAIT_MS = 1_000;

function isTransient({ code, status }: CesError): boolean {
  return code === 'connection_failed' || TRANSIENT_STATUSES.has(status);
}
