import type { Pool } from '@ces/chassis/postgres/pool';
import { type PeriodicTask, startPeriodicTask } from '@ces/chassis/service/periodic-task';
import type { Logger } from '@ces/chassis/telemetry/log';
import { metrics } from '@opentelemetry/api';
import { type Difference, findCounterDifferences, findDifferences, listLastInstants } from '../db/verification.ts';
import { DutyCycle } from './duty-cycle.ts';

const PAGE = 100;
/** Differences written to the log of a pass at most. */
const MAX_LOGGED = 20;

/** Compares what `ces ledger verify` recomputes with what is stored, again and again (promise R5). */
export class Reconciler {
  readonly #pool: Pool;
  readonly #logger: Logger;
  /** Last instant of each subscription whose postings were found without a difference. */
  #verified = new Map<bigint, string>();
  #differences: readonly Difference[] | undefined;

  constructor(pool: Pool, logger: Logger) {
    this.#pool = pool;
    this.#logger = logger;
  }

  /** What the last pass found; undefined before the first one has ended. */
  get differences(): readonly Difference[] | undefined {
    return this.#differences;
  }

  /**
   * One pass: the counters of every subscription, and all postings of those on which something was written since
   * they were found without a difference. Every subscription is read in statements of its own, without any lock.
   */
  async pass(signal: AbortSignal): Promise<void> {
    const dutyCycle = new DutyCycle(signal);
    const found: Difference[] = [];
    const verified = new Map<bigint, string>();
    for (let after = 0n; ; ) {
      const page = await listLastInstants(this.#pool, after, PAGE);
      for (const { id, lastAt } of page) {
        await dutyCycle.rest();
        const unchanged = this.#verified.get(id) === lastAt;
        const differences = await (unchanged ? findCounterDifferences : findDifferences)(this.#pool, id);
        if (differences.length === 0) verified.set(id, lastAt);
        found.push(...differences);
      }
      const last = page.at(-1);
      if (!last) break;
      after = last.id;
    }
    this.#verified = verified;
    this.#report(found);
  }

  #report(found: readonly Difference[]): void {
    const before = this.#differences?.length ?? 0;
    this.#differences = found;
    if (found.length > 0)
      this.#logger.error(
        { drift: found.length, differences: found.slice(0, MAX_LOGGED) },
        'the ledger does not add up',
      );
    else if (before > 0) this.#logger.info('the ledger adds up again');
  }
}

/** Reconciles every `everyMs`. Gauge `ledger_drift`: the differences that the last pass found. */
export function startReconciler(pool: Pool, logger: Logger, everyMs: number): PeriodicTask {
  const reconciler = new Reconciler(pool, logger);
  const gauge = metrics.getMeter('ces').createObservableGauge('ledger_drift', { unit: '{difference}' });
  gauge.addCallback((result) => {
    if (reconciler.differences) result.observe(reconciler.differences.length);
  });
  return startPeriodicTask({
    name: 'reconciliation',
    everyMs,
    immediately: true,
    run: (signal) => reconciler.pass(signal),
    logger,
  });
}
