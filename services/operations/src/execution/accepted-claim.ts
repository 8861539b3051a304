import type { Pool } from '@ces/chassis/postgres/pool';
import type { Config } from '../config.ts';
import { type Claim, claimAccepted } from '../db/claim.ts';
import type { Operation } from '../operation/operation.ts';
import { LeaseLost } from './lease.ts';

interface ClaimDependencies {
  readonly pool: Pool;
  readonly config: Config;
  readonly owner: string;
}

/**
 * The claim of an operation that the process which accepted it runs: it has it by the acceptance, under its lease and fence. It is
 * written only where something depends on it: the run takes longer, a caller is told of it, sources are asked, or an attempt has
 * failed. Until then an operation whose process dies is withdrawn, as before its run began (decision 0142).
 */
export class AcceptedClaim {
  readonly claim: Claim;
  /** Aborted when another process has the operation, or nothing may become of it: then nothing of this run is written. */
  readonly signal: AbortSignal;
  readonly #deps: ClaimDependencies;
  readonly #end = new AbortController();
  #isWritten = false;
  #writing: Promise<boolean> | undefined;

  /** Of an operation that has just been admitted. */
  constructor(deps: ClaimDependencies, operation: Operation, traceparent: string | undefined) {
    this.#deps = deps;
    this.signal = this.#end.signal;
    const running = { ...operation, state: 'running' } as const;
    this.claim = { operation: running, fence: 1n, attempts: 1, outages: 0, traceparent, message: undefined };
  }

  get isWritten(): boolean {
    return this.#isWritten;
  }

  /** True once it is written; false when another process has the operation, it has ended, or it was given up. */
  async write(): Promise<boolean> {
    if (this.#isWritten || this.signal.aborted) return this.#isWritten;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
    return await this.#writing;
  }

  /** Nothing may become of the operation: the run ends, and nothing of it is written from now on. */
  giveUp(reason: unknown): void {
    this.#end.abort(reason);
  }

  async #write(): Promise<boolean> {
    const { pool, config, owner } = this.#deps;
    const { id } = this.claim.operation;
    this.#isWritten = await claimAccepted(pool, id, { ...config, owner });
    if (!this.#isWritten)
      this.#end.abort(new LeaseLost(`operation ${id} is no longer of the process that accepted it`));
    return this.#isWritten;
  }
}
