import { observeGauges } from '@ces/chassis/telemetry/gauges';
import type { Logger } from '@ces/chassis/telemetry/log';
import { contextOf, inSpan, linksTo } from '@ces/chassis/telemetry/span';
import { ROOT_CONTEXT } from '@opentelemetry/api';
import type { Claim } from '../db/claim.ts';
import type { StepOutcome } from '../operation/state-machine.ts';
import type { AcceptedClaim } from './accepted-claim.ts';
import { AccountCount } from './account-count.ts';
import { execute, type RunDependencies, type Slot } from './execute.ts';

/** `waited`: a caller waits. `queued`: none does. `sources`: none does, and it may take long. */
export type RunKind = 'waited' | 'queued' | 'sources';

/** Runs may end within this time at shutdown before they are handed over. */
const GRACE_MS = 5_000;

export class RunPool implements AsyncDisposable {
  readonly #deps: RunDependencies;
  readonly #shutdown = new AbortController();
  readonly #running = new Set<Promise<StepOutcome>>();
  readonly #counts: Readonly<Record<RunKind, AccountCount>> = {
    waited: new AccountCount(),
    queued: new AccountCount(),
    sources: new AccountCount(),
  };

  constructor(deps: RunDependencies) {
    this.#deps = deps;
  }

  freeSlots(kind: RunKind): number {
    if (this.#shutdown.signal.aborted) return 0;
    return this.#slots(kind) - this.#counts[kind].total;
  }

  get load(): readonly { readonly kind: RunKind; readonly active: number; readonly limit: number }[] {
    const kinds: readonly RunKind[] = ['waited', 'queued', 'sources'];
    return kinds.map((kind) => ({ kind, active: this.#counts[kind].total, limit: this.#slots(kind) }));
  }

  runningOf(kind: RunKind): ReadonlyMap<bigint, number> {
    return this.#counts[kind].byAccount;
  }

  /** With more than one slot, an account never gets all of them. */
  accountBound(kind: 'queued' | 'sources'): number {
    return Math.max(1, Math.floor(this.#slots(kind) * ACCOUNT_SHARE[kind]));
  }

  /** Never rejects: after an unexpected error the job is retried once its lease has ended. */
  start(kind: RunKind, claim: Claim, accepted?: AcceptedClaim): Promise<StepOutcome> {
    const { accountId, id } = claim.operation;
    const slot = new RunSlot(this, this.#counts, kind, accountId);
    const run = traced(kind, claim, () => execute(this.#deps, claim, slot, this.#shutdown.signal, accepted))
      .catch((error: unknown): StepOutcome => {
        this.#deps.logger.error({ err: error, operation_id: id }, 'run broke; its lease will end');
        return { kind: 'open', operation: claim.operation, allowance: undefined };
      })
      .finally(() => {
        slot.leave();
        this.#running.delete(run);
      });
    this.#running.add(run);
    return run;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const all = Promise.allSettled(this.#running);
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, GRACE_MS);
    });
    await Promise.race([all, grace]);
    clearTimeout(timer);
    this.#shutdown.abort(new Error('the process is stopping'));
    await all;
  }

  #slots(kind: RunKind): number {
    const { synchronousRuns, workers, sourceRuns } = this.#deps.config;
    return { waited: synchronousRuns, queued: workers, sources: sourceRuns }[kind];
  }
}

const ACCOUNT_SHARE = { queued: 3 / 4, sources: 1 / 2 } as const;

class RunSlot implements Slot {
  readonly #pool: RunPool;
  readonly #counts: Readonly<Record<RunKind, AccountCount>>;
  readonly #accountId: bigint;
  #kind: RunKind;

  constructor(pool: RunPool, counts: Readonly<Record<RunKind, AccountCount>>, kind: RunKind, accountId: bigint) {
    this.#pool = pool;
    this.#counts = counts;
    this.#kind = kind;
    this.#accountId = accountId;
    counts[kind].add(accountId);
  }

  get queue(): 'run' | 'sources' {
    return this.#kind === 'sources' ? 'sources' : 'run';
  }

  enterSources(): boolean {
    if (this.#kind !== 'queued') return true;
    const ofAccount = this.#pool.runningOf('sources').get(this.#accountId) ?? 0;
    if (this.#pool.freeSlots('sources') <= 0 || ofAccount >= this.#pool.accountBound('sources')) return false;
    this.leave();
    this.#kind = 'sources';
    this.#counts.sources.add(this.#accountId);
    return true;
  }

  leave(): void {
    this.#counts[this.#kind].remove(this.#accountId);
  }
}

/** A later attempt starts its own trace with a link to the acceptance's. */
function traced<T>(kind: RunKind, claim: Claim, run: () => Promise<T>): Promise<T> {
  const accepted = contextOf(claim.traceparent);
  const again = claim.attempts > 1;
  return inSpan(
    `run ${claim.operation.input.action}`,
    {
      attributes: { 'ces.operation_id': String(claim.operation.id), 'ces.attempt': claim.attempts },
      ...(kind !== 'waited' && { parent: again ? ROOT_CONTEXT : accepted }),
      ...(again && { links: linksTo(accepted) }),
    },
    run,
  );
}

const GAUGES = {
  'ces.runs.active': { unit: '{run}', description: 'Runs of operations in this process, by kind.' },
  'ces.runs.limit': { unit: '{run}', description: 'Runs of a kind that this process works on at once at most.' },
} as const;

export function observeRuns(runPool: RunPool, logger: Logger): AsyncDisposable {
  return observeGauges(
    GAUGES,
    async () =>
      runPool.load.flatMap(({ kind, active, limit }) => [
        { gauge: 'ces.runs.active' as const, value: active, attributes: { kind } },
        { gauge: 'ces.runs.limit' as const, value: limit, attributes: { kind } },
      ]),
    logger,
  );
}
