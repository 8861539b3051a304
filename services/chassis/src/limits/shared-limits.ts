import { randomUUID } from 'node:crypto';
import type { CallLimitService } from '@ces/proto/ces/ledger/v1/call_limit_service_pb.ts';
import type { Client } from '@connectrpc/connect';
import { metrics } from '@opentelemetry/api';
import { LRUCache } from 'lru-cache';
import { startPeriodicTask } from '../service/periodic-task.ts';
import type { Logger } from '../telemetry/log.ts';
import { untraced } from '../telemetry/span.ts';
import { SlotLease } from './slot-lease.ts';
import { TokenBuckets } from './token-buckets.ts';
import { type Rate, TokenLease } from './token-lease.ts';

export type { Rate } from './token-lease.ts';

export interface SharedLimitsOptions {
  /** Its deadline bounds how long a call waits while the ledger is silent. */
  readonly take: Client<typeof CallLimitService>['take'];
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
  readonly logger: Logger;
}

export interface TakeOptions {
  /** Allows an overdraft: the first call after a pause goes ahead before the ledger answers. */
  readonly overdraft: boolean;
}

const MAX_LEASES = 1_000;
const CAPACITY = 20_000;
const BATCH_MS = 75;
const RENEW_MS = 1_000;
const LOCAL_MS = 5_000;

/**
 * Limits calls over all processes: the ledger grants leases, and each process counts its own
 * (decision 0009). One request in flight covers all owners, so load at the ledger grows with time,
 * not calls. While the ledger is unreachable, each process applies the whole limit.
 */
export class SharedLimits implements AsyncDisposable {
  readonly #options: SharedLimitsOptions;
  readonly #holder = randomUUID();
  readonly #calls = new LRUCache<string, TokenLease>({ max: CAPACITY });
  readonly #slots = new Map<string, SlotLease>();
  readonly #shortOfCalls = new Set<TokenLease>();
  readonly #shortOfSlots = new Set<SlotLease>();
  readonly #overdrawn = new Set<TokenLease>();
  readonly #withoutSlot = new Set<SlotLease>();
  #batching: NodeJS.Timeout | undefined;
  readonly #local: TokenBuckets;
  readonly #renewing: AsyncDisposable;
  readonly #fallbacks = metrics.getMeter('ces').createCounter('ces.rate_limit.fallbacks', {
    description:
      'Requests for limits of the installation that the ledger did not answer; the process then limits locally.',
  });
  #localUntil = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;

  constructor(options: SharedLimitsOptions) {
    this.#options = options;
    this.#local = new TokenBuckets(CAPACITY, options.now);
    this.#fallbacks.add(0);
    this.#renewing = startPeriodicTask({
      name: 'renewing slots of calls in flight',
      everyMs: RENEW_MS,
      run: () => this.#renew(),
      logger: options.logger,
    });
  }

  /** Returns 0, or the milliseconds until a call is allowed. */
  async takeCall(owner: string, rate: Rate, { overdraft }: TakeOptions): Promise<number> {
    const now = this.#options.now();
    const lease = this.#calls.get(owner) ?? new TokenLease(owner, rate);
    this.#calls.set(owner, lease);
    const isLocal = this.#isLocal(now);
    const waitMs = lease.take(now, rate, overdraft && !isLocal);
    if (waitMs === undefined && isLocal) return this.#local.take(owner, rate);
    const answered = waitMs ?? lease.wait();
    const need = lease.need(now);
    if (need === 'now') this.#shortOfCalls.add(lease);
    else if (need === 'soon' && waitMs === 0) this.#batch(this.#overdrawn, lease);
    this.#ask();
    return await answered;
  }

  refund(owner: string): void {
    const now = this.#options.now();
    if (this.#isLocal(now)) this.#local.refund(owner);
    else this.#calls.get(owner)?.refund(now);
  }

  /** The function leaves, more than once without harm; undefined at the limit of `most`. */
  async enter(owner: string, most: number): Promise<(() => void) | undefined> {
    const now = this.#options.now();
    const lease = this.#slots.get(owner) ?? new SlotLease(owner, most);
    this.#slots.set(owner, lease);
    let hasSlot = lease.occupy(now, most);
    if (hasSlot === undefined && this.#isLocal(now)) hasSlot = lease.occupyLocally(most);
    const answered = hasSlot ?? lease.wait();
    if (lease.hasWaiting) this.#shortOfSlots.add(lease);
    else if (lease.isShort) this.#batch(this.#withoutSlot, lease);
    this.#ask();
    if (!(await answered)) return undefined;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      lease.leave();
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#renewing[Symbol.asyncDispose]();
    this.#askForBatched();
    await this.#asking;
    clearTimeout(this.#batching);
    const slots = [...this.#slots.values()].map((lease) => ({ ...lease.request(), occupied: 0, wanted: 0 }));
    if (slots.length === 0 || this.#isLocal(this.#options.now())) return;
    await this.#options
      .take({ holder: this.#holder, slots: slots.slice(0, MAX_LEASES) })
      .catch((error: unknown) => this.#options.logger.debug({ err: error }, 'slots not returned; they expire'));
  }

  #isLocal(now: number): boolean {
    return now < this.#localUntil;
  }

  #batch<T>(owed: Set<T>, lease: T): void {
    owed.add(lease);
    this.#batching ??= untraced(() => setTimeout(() => this.#askForBatched(), BATCH_MS));
  }

  #askForBatched(): void {
    this.#addBatched();
    this.#ask();
  }

  #addBatched(): void {
    clearTimeout(this.#batching);
    this.#batching = undefined;
    const now = this.#options.now();
    for (const lease of this.#overdrawn) if (lease.need(now)) this.#shortOfCalls.add(lease);
    for (const lease of this.#withoutSlot)
      if (lease.isIdle) this.#slots.delete(lease.owner);
      else if (lease.isShort) this.#shortOfSlots.add(lease);
    this.#overdrawn.clear();
    this.#withoutSlot.clear();
  }

  #ask(): void {
    if (this.#shortOfCalls.size + this.#shortOfSlots.size === 0 || this.#isLocal(this.#options.now())) return;
    this.#asking ??= this.#askAll().finally(() => {
      this.#asking = undefined;
      this.#ask();
    });
  }

  /** Never rejects: a failure switches to local limits. */
  async #askAll(): Promise<void> {
    while (this.#shortOfCalls.size + this.#shortOfSlots.size > 0 && !this.#isLocal(this.#options.now())) {
      this.#addBatched();
      const calls = takeSome(this.#shortOfCalls);
      const slots = takeSome(this.#shortOfSlots);
      try {
        await this.#askFor(calls, slots);
      } catch (error) {
        this.#fallbacks.add(1);
        this.#options.logger.debug(
          { err: error },
          'limits of the installation are unavailable; this process limits locally',
        );
        this.#fallBack([...calls, ...takeSome(this.#shortOfCalls)], [...slots, ...takeSome(this.#shortOfSlots)]);
      }
    }
  }

  async #askFor(calls: readonly TokenLease[], slots: readonly SlotLease[]): Promise<void> {
    const answer = await this.#options.take({
      holder: this.#holder,
      calls: calls.map((lease) => lease.request()),
      slots: slots.map((lease) => lease.request()),
    });
    const now = this.#options.now();
    for (const [at, lease] of calls.entries()) {
      lease.answer(answer.calls[at] ?? NOTHING_TAKEN, now);
      if (lease.hasWaiting) this.#shortOfCalls.add(lease);
    }
    for (const [at, lease] of slots.entries()) {
      lease.answer(answer.slots[at]?.slots ?? 0, now);
      if (lease.hasWaiting) this.#shortOfSlots.add(lease);
      if (lease.isUnused) this.#slots.delete(lease.owner);
    }
  }

  #fallBack(calls: readonly TokenLease[], slots: readonly SlotLease[]): void {
    this.#localUntil = this.#options.now() + LOCAL_MS;
    for (const lease of calls) lease.fail((owner, rate) => this.#local.take(owner, rate));
    for (const lease of slots) lease.fail();
  }

  async #renew(): Promise<void> {
    for (const lease of this.#slots.values()) this.#shortOfSlots.add(lease);
    this.#ask();
    await this.#asking;
  }
}

const NOTHING_TAKEN = { taken: 0, waitMs: 1_000 };

function takeSome<T>(from: Set<T>): T[] {
  const some = [...from].slice(0, MAX_LEASES);
  for (const one of some) from.delete(one);
  return some;
}
