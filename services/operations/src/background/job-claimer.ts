import { type Claim, claimFairly } from '../db/claim.ts';
import type { JobQueue } from '../db/fair-dequeue.ts';
import type { RunDependencies } from '../execution/execute.ts';
import type { RunPool } from '../execution/run-pool.ts';
import type { StepOutcome } from '../operation/state-machine.ts';

interface JobClaimerEvents {
  readonly onClaimed: (claim: Claim) => void;
  readonly onEnded: () => void;
}

export class JobClaimer {
  readonly #deps: RunDependencies;
  readonly #runPool: RunPool;
  readonly #events: JobClaimerEvents;
  readonly #after = new Map<JobQueue, bigint>();

  constructor(deps: RunDependencies, runPool: RunPool, events: JobClaimerEvents) {
    this.#deps = deps;
    this.#runPool = runPool;
    this.#events = events;
  }

  async start(
    queue: JobQueue,
    kind: 'queued' | 'sources',
    max = Number.POSITIVE_INFINITY,
  ): Promise<Promise<StepOutcome>[]> {
    const { pool, config, owner } = this.#deps;
    const runs: Promise<StepOutcome>[] = [];
    for (;;) {
      const count = Math.min(this.#runPool.freeSlots(kind), max - runs.length);
      if (count <= 0) return runs;
      const dequeue = {
        queue,
        count,
        after: this.#after.get(queue) ?? 0n,
        running: this.#runPool.runningOf(kind),
        accountBound: this.#runPool.accountBound(kind),
      };
      const { claims, lastAccount } = await claimFairly(pool, dequeue, config.attempts, { ...config, owner });
      if (lastAccount === undefined) return runs;
      this.#after.set(queue, lastAccount);
      for (const claim of claims) {
        this.#events.onClaimed(claim);
        const run = this.#runPool.start(kind, claim);
        void run.then(this.#events.onEnded);
        runs.push(run);
      }
    }
  }
}
