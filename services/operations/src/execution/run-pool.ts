import { contextOf, inSpan, linksTo } from '@ces/chassis/telemetry/span';
import { ROOT_CONTEXT } from '@opentelemetry/api';
import type { Claim } from '../db/job.ts';
import type { StepOutcome } from '../operation/state-machine.ts';
import { execute, type RunDependencies } from './execute.ts';

/** For whom a run runs; each kind has a bound of its own. */
export type RunKind = 'waited' | 'queued';

/** How long runs may take to end at shutdown before they are handed over, in milliseconds. */
const GRACE_MS = 5_000;

/** The runs of this process. At shutdown they end within a grace, or hand their operations over. */
export class RunPool implements AsyncDisposable {
  readonly #deps: RunDependencies;
  readonly #shutdown = new AbortController();
  readonly #running: Readonly<Record<RunKind, Set<Promise<StepOutcome>>>> = { waited: new Set(), queued: new Set() };

  constructor(deps: RunDependencies) {
    this.#deps = deps;
  }

  /** How many runs of a kind may still begin. */
  freeSlots(kind: RunKind): number {
    const { synchronousRuns, workers } = this.#deps.config;
    if (this.#shutdown.signal.aborted) return 0;
    return (kind === 'waited' ? synchronousRuns : workers) - this.#running[kind].size;
  }

  /** Runs a claimed operation; never rejects. What broke is tried again when its lease has ended. */
  start(kind: RunKind, claim: Claim): Promise<StepOutcome> {
    const run = traced(kind, claim, () => execute(this.#deps, claim, this.#shutdown.signal))
      .catch((error: unknown): StepOutcome => {
        this.#deps.logger.error({ err: error, operation_id: claim.operation.id }, 'run broke; its lease will end');
        return { kind: 'open', operation: claim.operation, allowance: undefined };
      })
      .finally(() => this.#running[kind].delete(run));
    this.#running[kind].add(run);
    return run;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const all = Promise.allSettled([...this.#running.waited, ...this.#running.queued]);
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, GRACE_MS);
    });
    await Promise.race([all, grace]);
    clearTimeout(timer);
    this.#shutdown.abort(new Error('the process is stopping'));
    await all;
  }
}

/** The first attempt goes on in the trace of the acceptance; a later one is a trace of its own that links to it. */
function traced<T>(kind: RunKind, claim: Claim, run: () => Promise<T>): Promise<T> {
  const accepted = contextOf(claim.traceparent);
  const again = claim.attempts > 1;
  return inSpan(
    `run ${claim.operation.input.action}`,
    {
      attributes: { 'ces.operation_id': String(claim.operation.id), 'ces.attempt': claim.attempts },
      ...(kind === 'queued' && { parent: again ? ROOT_CONTEXT : accepted }),
      ...(again && { links: linksTo(accepted) }),
    },
    run,
  );
}
