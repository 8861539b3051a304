import { startLeaderTask } from '@ces/chassis/postgres/leader-task';
import type { Pool } from '@ces/chassis/postgres/pool';
import type { Logger } from '@ces/chassis/telemetry/log';
import { saveDriftCheck } from '../db/drift-check.ts';
import { listSubscriptionsToCheck, type SubscriptionToCheck, saveRowDigests } from '../db/subscription-check.ts';
import { deleteSuspectRange, listSuspectRanges, type SuspectRange } from '../db/suspect-range.ts';
import { findHeldDifferences, findSettledDifferences } from '../db/verification/counters.ts';
import type { Difference } from '../db/verification/difference.ts';
import { findOversteppedLimits } from '../db/verification/overstepped-limits.ts';
import { findUnmatchedPostings } from '../db/verification/unmatched-postings.ts';
import { findWrongTotals } from '../db/verification/wrong-totals.ts';
import { checkSubscription } from './check-subscription.ts';
import { DutyCycle } from './duty-cycle.ts';
import { type LeaderTaskDependencies, MAINTENANCE_LEASE } from './leader-tasks.ts';

const PAGE = 100;
/** Steps of a thousand postings, beyond one per subscription: an upgrade leaves all unread. */
const STEPS_A_PASS = 4_096;
const MAX_SUSPECTS = 1_000;
const MAX_LOGGED = 20;

/** Compares new postings, every counter and suspect ranges (promises R5 and R35). */
export class Reconciler {
  readonly #pool: Pool;
  readonly #logger: Logger;
  readonly #stepsAPass: number;
  #differences: readonly Difference[] | undefined;

  constructor(pool: Pool, logger: Logger, stepsAPass = STEPS_A_PASS) {
    this.#pool = pool;
    this.#logger = logger;
    this.#stepsAPass = stepsAPass;
  }

  get differences(): readonly Difference[] | undefined {
    return this.#differences;
  }

  async pass(signal: AbortSignal): Promise<void> {
    const dutyCycle = new DutyCycle(signal);
    const failed = new Set<bigint>();
    const onFailure = (subscriptionId: bigint, error: unknown) => {
      signal.throwIfAborted();
      failed.add(subscriptionId);
      this.#logger.warn(
        { err: error, subscription_id: String(subscriptionId) },
        'a subscription could not be compared',
      );
    };
    const { counters, isWhole } = await this.#checkAll(dutyCycle, onFailure);
    const found = [...counters, ...(await this.#readSuspects(dutyCycle, onFailure))];
    await saveDriftCheck(this.#pool, found.length, isWhole && failed.size === 0);
    this.#report(found);
  }

  async #checkAll(
    dutyCycle: DutyCycle,
    onFailure: OnFailure,
  ): Promise<{ readonly counters: readonly Difference[]; readonly isWhole: boolean }> {
    const counters: Difference[] = [];
    const budget = { steps: this.#stepsAPass };
    let isWhole = true;
    for (let after = 0n; ; ) {
      await dutyCycle.rest();
      const page = await listSubscriptionsToCheck(this.#pool, after, PAGE);
      const unread = new Set<bigint>();
      for (const { id: subscriptionId, lastAt, changed } of page)
        if (changed)
          await checkSubscription(this.#pool, { subscriptionId, lastAt }, budget, dutyCycle).then(
            (isRead) => isRead || unread.add(subscriptionId),
            (error) => onFailure(subscriptionId, error),
          );
      counters.push(...(await this.#compareCounters(page, unread, onFailure)));
      isWhole &&= unread.size === 0;
      const last = page.at(-1);
      if (!last) return { counters, isWhole };
      after = last.id;
    }
  }

  /** Only changed rows. Skips subscriptions with unread entries, which have no totals yet. */
  async #compareCounters(
    page: readonly SubscriptionToCheck[],
    unread: ReadonlySet<bigint>,
    onFailure: OnFailure,
  ): Promise<readonly Difference[]> {
    const others = page.filter(({ id, sameRow }) => !sameRow && !unread.has(id));
    const wrong = new Set<bigint>();
    const markFailed = (id: bigint, error: unknown) => {
      wrong.add(id);
      onFailure(id, error);
    };
    const settled = await this.#compareEach(findSettledDifferences, others, markFailed);
    for (const { subscriptionId } of settled) wrong.add(subscriptionId);
    const right = others.filter(({ id }) => !wrong.has(id));
    if (right.length > 0) await saveRowDigests(this.#pool, right);
    return [...settled, ...(await this.#compareEach(findHeldDifferences, page, onFailure))];
  }

  /** Compares in one query, or one by one if that fails. */
  async #compareEach(
    find: typeof findHeldDifferences,
    subscriptions: readonly SubscriptionToCheck[],
    onFailure: OnFailure,
  ): Promise<readonly Difference[]> {
    const ids = subscriptions.map(({ id }) => id);
    try {
      return await find(this.#pool, ids);
    } catch {
      const found: Difference[] = [];
      for (const id of ids)
        await find(this.#pool, [id]).then(
          (differences) => found.push(...differences),
          (error) => onFailure(id, error),
        );
      return found;
    }
  }

  /** Ranges may overlap, so equal differences count once. A range without any is dropped. */
  async #readSuspects(dutyCycle: DutyCycle, onFailure: OnFailure): Promise<readonly Difference[]> {
    const found = new Map<string, Difference>();
    for (const suspect of await listSuspectRanges(this.#pool, MAX_SUSPECTS)) {
      await dutyCycle.rest();
      const differences = await this.#compare(suspect).catch((error) => {
        onFailure(suspect.subscriptionId, error);
        return undefined;
      });
      if (differences?.length === 0) await deleteSuspectRange(this.#pool, suspect);
      for (const difference of differences ?? []) found.set(Object.values(difference).join(), difference);
    }
    return [...found.values()];
  }

  async #compare(suspect: SuspectRange): Promise<readonly Difference[]> {
    const found: Difference[] = [];
    for (const find of [findWrongTotals, findUnmatchedPostings, findOversteppedLimits])
      found.push(...(await find(this.#pool, suspect.subscriptionId, suspect)));
    return found;
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

type OnFailure = (subscriptionId: bigint, error: unknown) => void;

/** Two at once leave the same totals and suspect ranges. */
export function startReconciler({ pool, leases, logger }: LeaderTaskDependencies, everyMs: number): AsyncDisposable {
  const reconciler = new Reconciler(pool, logger);
  return startLeaderTask(leases, {
    name: 'reconciliation',
    lease: MAINTENANCE_LEASE,
    everyMs,
    immediately: true,
    run: ({ signal }) => reconciler.pass(signal),
    logger,
  });
}
