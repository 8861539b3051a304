import type { Pool } from '@ces/chassis/postgres/pool';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { Claim } from '../db/claim.ts';
import { extendLease } from '../db/job.ts';

/** Another process may run the operation; write nothing. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

export interface LeaseOptions {
  readonly leaseMs: number;
  readonly heartbeatMs: number;
}

/** Extends a claim at every heartbeat; `signal` aborts with LeaseLost when the claim has ended. */
export class Lease implements Disposable {
  readonly signal: AbortSignal;
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #pool: Pool;
  readonly #claim: Claim;
  readonly #options: LeaseOptions;
  readonly #logger: Logger;
  #extendedAt = performance.now();
  #isAsking = false;

  constructor(pool: Pool, claim: Claim, options: LeaseOptions, logger: Logger) {
    this.#pool = pool;
    this.#claim = claim;
    this.#options = options;
    this.#logger = logger;
    this.signal = this.#lost.signal;
    this.#timer = setInterval(() => void this.#extend(), options.heartbeatMs);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  async #extend(): Promise<void> {
    const { operation, fence } = this.#claim;
    const askedAt = performance.now();
    if (this.#isAsking) {
      // The previous heartbeat may hang on a half-open connection.
      if (askedAt - this.#extendedAt > this.#options.leaseMs) this.#lose();
      return;
    }
    this.#isAsking = true;
    try {
      if (await extendLease(this.#pool, operation.id, fence, this.#options.leaseMs)) this.#extendedAt = askedAt;
      else this.#lose();
    } catch (error) {
      this.#logger.warn({ err: error, operation_id: operation.id }, 'heartbeat failed');
      if (performance.now() - this.#extendedAt > this.#options.leaseMs) this.#lose();
    } finally {
      this.#isAsking = false;
    }
  }

  #lose(): void {
    clearInterval(this.#timer);
    this.#lost.abort(new LeaseLost(`the lease of operation ${this.#claim.operation.id} has ended`));
  }
}
