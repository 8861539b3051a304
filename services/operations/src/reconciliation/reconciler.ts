import { setTimeout as pause } from 'node:timers/promises';
import { startPeriodicTask } from '@ces/chassis/service/periodic-task';
import type { Logger } from '@ces/chassis/telemetry/log';
import { metrics } from '@opentelemetry/api';
import { findDifferences } from './compare.ts';
import { type PairSources, readPair, readPairs } from './pairs.ts';

/** Operations compared a pass; the next pass goes on where this one ended. */
const A_PASS = 20_000;
/** Calls in flight settle within this; what differs longer is a difference, in milliseconds. */
const SETTLES_WITHIN_MS = 1_500;
/** Differences written to the log of a pass at most. */
const MOST_LOGGED = 20;

export interface ReconcilerOptions {
  readonly sources: PairSources;
  /** Age at which a hold is a fault, in milliseconds. */
  readonly maxHoldMs: number;
  readonly logger: Logger;
  readonly now: () => Date;
}

/** Compares every operation with what the ledger says of it, some thousands a pass, and begins again at the end (promise R5). */
export class Reconciler {
  readonly #options: ReconcilerOptions;
  #after = 0n;
  /** Operations that differed when they were last compared. */
  readonly #differing = new Set<bigint>();
  #passed = false;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
  }

  /** How many operations differ, as far as has been looked; undefined before the first pass. */
  get drift(): number | undefined {
    return this.#passed ? this.#differing.size : undefined;
  }

  /** Compares the next operations, and once more what differed before. */
  async pass(): Promise<void> {
    const candidates = new Set(this.#differing);
    let compared = 0;
    for await (const pair of readPairs(this.#options.sources, this.#after)) {
      this.#after = pair.operationId;
      if (this.#differences(pair).length > 0) candidates.add(pair.operationId);
      compared += 1;
      if (compared === A_PASS) break;
    }
    if (compared < A_PASS) this.#after = 0n;
    if (candidates.size > 0) await pause(SETTLES_WITHIN_MS);
    for (const operationId of candidates) await this.#judge(operationId);
    this.#passed = true;
  }

  async #judge(operationId: bigint): Promise<void> {
    const differences = this.#differences(await readPair(this.#options.sources, operationId));
    if (differences.length === 0) this.#differing.delete(operationId);
    else if (!this.#differing.has(operationId)) {
      this.#differing.add(operationId);
      if (this.#differing.size <= MOST_LOGGED)
        this.#options.logger.error({ operation_id: operationId, differences }, 'operations and ledger differ');
    }
  }

  #differences(pair: Parameters<typeof findDifferences>[0]): string[] {
    const oldest = new Date(this.#options.now().getTime() - this.#options.maxHoldMs);
    return findDifferences(pair, oldest);
  }
}

/** Reconciles every `everyMs` and shows as gauge `operations_drift` how many operations differ. */
export function startReconciler(options: ReconcilerOptions, everyMs: number): AsyncDisposable {
  const reconciler = new Reconciler(options);
  const gauge = metrics.getMeter('ces').createObservableGauge('operations_drift', {
    unit: '{operation}',
    description: 'Operations of which operations and ledger say different things.',
  });
  gauge.addCallback((result) => {
    if (reconciler.drift !== undefined) result.observe(reconciler.drift);
  });
  const { logger } = options;
  return startPeriodicTask({ name: 'reconciliation', everyMs, run: () => reconciler.pass(), logger });
}
