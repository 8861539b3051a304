import { isTransient } from '@ces/chassis/rpc/error';
import { failExhausted, takeSteps } from '../db/steps.ts';
import { AccountCount } from '../execution/account-count.ts';
import type { RunDependencies } from '../execution/execute.ts';
import { isUndecided, type Operation } from '../model/operation.ts';
import { SEARCH_FAILED } from '../model/stored-failure.ts';
import { advance, withdraw } from '../operation/state-machine.ts';

/** Bounds of this process and of one account, for which the ledger may be slow. */
const STEPS_AT_ONCE = 64;
const STEPS_OF_ACCOUNT = 8;

/** A failed step is retried after its own pause and delays no other. */
export class StepPool implements AsyncDisposable {
  readonly #deps: RunDependencies;
  readonly #onFree: () => void;
  readonly #counts = new AccountCount();
  readonly #underWay = new Set<Promise<void>>();
  #after = 0n;
  #isFull = false;

  constructor(deps: RunDependencies, onFree: () => void) {
    this.#deps = deps;
    this.#onFree = onFree;
  }

  async begin(): Promise<number> {
    let begun = 0;
    for (;;) {
      const count = STEPS_AT_ONCE - this.#counts.total;
      this.#isFull = count <= 0 || [...this.#counts.byAccount.values()].some((steps) => steps >= STEPS_OF_ACCOUNT);
      if (count <= 0) return begun;
      const { operations, lastAccount } = await takeSteps(this.#deps.pool, {
        count,
        after: this.#after,
        running: this.#counts.byAccount,
        accountBound: STEPS_OF_ACCOUNT,
      });
      if (lastAccount === undefined) return begun;
      this.#after = lastAccount;
      begun += operations.length;
      await this.#failExhausted(operations.filter(isRunnable));
      for (const operation of operations) if (!isRunnable(operation)) this.#start(operation);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#underWay);
  }

  async #failExhausted(operations: readonly Operation[]): Promise<void> {
    if (operations.length === 0) return;
    const { pool, config, logger } = this.#deps;
    const ids = operations.map(({ id }) => id);
    const exhausted = await failExhausted(pool, ids, config.attempts, SEARCH_FAILED);
    if (exhausted > 0) logger.warn({ exhausted }, 'no attempt was left');
  }

  #start(operation: Operation): void {
    this.#counts.add(operation.accountId);
    const step = this.#take(operation).finally(() => {
      this.#counts.remove(operation.accountId);
      this.#underWay.delete(step);
      if (this.#isFull) this.#onFree();
    });
    this.#underWay.add(step);
  }

  async #take(operation: Operation): Promise<void> {
    try {
      await (isUndecided(operation) ? withdraw(this.#deps, operation, 'sweeper') : advance(this.#deps, operation));
    } catch (error) {
      this.#deps.logger[isTransient(error) ? 'warn' : 'error'](
        { err: error, operation_id: operation.id, state: operation.state },
        'operation not taken further; trying again',
      );
    }
  }
}

/** True for jobs of a worker. The sweeper sees them once their attempts are used up. */
function isRunnable({ state }: Operation): boolean {
  return state === 'held' || state === 'running';
}
