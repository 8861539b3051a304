import type { Pool } from '@ces/chassis/postgres/pool';
import type { Config } from '../config.ts';
import { type Claim, claimAccepted } from '../db/claim.ts';
import { retryLostReply } from '../db/retry-lost-reply.ts';
import type { Operation } from '../model/operation.ts';
import { LeaseLost } from './lease.ts';

interface ClaimDependencies {
  readonly pool: Pool;
  readonly config: Config;
  readonly owner: string;
}

/**
 * Runs under the acceptance's lease and fence. Written only when something depends on it: a long
 * run, an answer, asking sources, or a failed attempt. Until then, an operation whose process dies
 * is withdrawn (decision 0005).
 */
export class AcceptedClaim {
  readonly claim: Claim;
  /** Another process has the operation, or may have it: this run writes nothing. */
  readonly signal: AbortSignal;
  readonly #deps: ClaimDependencies;
  readonly #end = new AbortController();
  #writing: Promise<boolean> | undefined;

  constructor(deps: ClaimDependencies, operation: Operation, traceparent: string | undefined) {
    this.#deps = deps;
    this.signal = this.#end.signal;
    const running = { ...operation, state: 'running' } as const;
    this.claim = { operation: running, fence: 1n, attempts: 1, outages: 0, traceparent, message: undefined };
  }

  /** False when another process has it, it has ended, or the outcome is unknown: the run ends. */
  async write(): Promise<boolean> {
    this.#writing ??= this.#write().catch((error: unknown) => {
      this.#end.abort(error);
      return false;
    });
    return await this.#writing;
  }

  async #write(): Promise<boolean> {
    const { pool, config, owner } = this.#deps;
    const { id } = this.claim.operation;
    if (await retryLostReply(() => claimAccepted(pool, id, { ...config, owner }))) return true;
    throw new LeaseLost(`operation ${id} is no longer of the process that accepted it`);
  }
}
