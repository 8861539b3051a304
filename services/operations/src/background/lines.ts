import { type Claim, claimInTurn } from '../db/claim.ts';
import type { Line } from '../db/turns.ts';
import type { RunDependencies } from '../execution/execute.ts';
import type { RunPool } from '../execution/run-pool.ts';
import type { StepOutcome } from '../operation/state-machine.ts';

interface LineEvents {
  readonly onClaimed: (claim: Claim) => void;
  readonly onEnded: () => void;
}

export class Lines {
  readonly #deps: RunDependencies;
  readonly #runPool: RunPool;
  readonly #events: LineEvents;
  readonly #after = new Map<Line, bigint>();

  constructor(deps: RunDependencies, runPool: RunPool, events: LineEvents) {
    this.#deps = deps;
    this.#runPool = runPool;
    this.#events = events;
  }

  /** Claims and starts at most `max` jobs of a line while slots of `kind` are free. */
  async start(line: Line, kind: 'queued' | 'sources', max = Number.POSITIVE_INFINITY): Promise<Promise<StepOutcome>[]> {
    const { pool, config, owner } = this.#deps;
    const runs: Promise<StepOutcome>[] = [];
    for (;;) {
      const count = Math.min(this.#runPool.freeSlots(kind), max - runs.length);
      if (count <= 0) return runs;
      const turns = {
        line,
        count,
        after: this.#after.get(line) ?? 0n,
        running: this.#runPool.runningOf(kind),
        accountBound: this.#runPool.accountBound(kind),
      };
      const { claims, lastAccount } = await claimInTurn(pool, turns, config.attempts, { ...config, owner });
      if (lastAccount === undefined) return runs;
      this.#after.set(line, lastAccount);
      for (const claim of claims) {
        this.#events.onClaimed(claim);
        const run = this.#runPool.start(kind, claim);
        void run.then(this.#events.onEnded);
        runs.push(run);
      }
    }
  }
}
