import type { CesError } from './error.ts';

/** How long and how often a call is repeated; every time is in milliseconds. */
export interface RetryPolicy {
  readonly maxAttempts: number;
  /** The longest wait for one attempt. */
  readonly maxWaitMs: number;
}

const FIRST_BACKOFF_MS = 500;
const LAST_BACKOFF_MS = 10_000;
/** With the same key nothing is done twice, whatever became of the attempt before. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** The waits between the attempts of one call. */
export class Waits {
  readonly #policy: RetryPolicy;
  readonly #random: () => number;
  #attempts = 1;
  #allowanceMs: number;

  /** `allowance`: how long in all to wait for it, in milliseconds; true: as long as it takes. */
  constructor(policy: RetryPolicy, allowance: boolean | number = 0, random: () => number = Math.random) {
    this.#policy = policy;
    this.#random = random;
    this.#allowanceMs = allowance === true ? Number.POSITIVE_INFINITY : Number(allowance);
  }

  /** Milliseconds until the next attempt after one that failed like this; undefined: there is none. */
  after(error: CesError): number | undefined {
    return error.code === 'request_limit_reached' ? this.#forAllowance(error) : this.#forRecovery(error);
  }

  /** An attempt that was refused until then is not counted. */
  #forAllowance({ retryAfterMs }: CesError): number | undefined {
    if (retryAfterMs === undefined) return undefined;
    const waitMs = Math.max(retryAfterMs, LEAST_ALLOWANCE_WAIT_MS);
    if (waitMs > this.#allowanceMs) return undefined;
    this.#allowanceMs -= waitMs;
    return waitMs;
  }

  /** What was asked for, and beyond it exponential backoff with full jitter. */
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

/** Whether the same call may succeed a little later, with nothing changed. */
function isTransient({ code, status }: CesError): boolean {
  return code === 'connection_failed' || TRANSIENT_STATUSES.has(status);
}
