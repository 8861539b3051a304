import { randomUUID } from 'node:crypto';
import type { CallLimitService } from '@ces/proto/ces/ledger/v1/call_limit_service_pb.ts';
import type { Client } from '@connectrpc/connect';
import { metrics } from '@opentelemetry/api';
import { LRUCache } from 'lru-cache';
import { startPeriodicTask } from '../service/periodic-task.ts';
import type { Logger } from '../telemetry/log.ts';
import { untraced } from '../telemetry/span.ts';
import { CallShare, type Rate } from './call-share.ts';
import { PlaceShare } from './place-share.ts';
import { TokenBuckets } from './token-buckets.ts';

export type { Rate } from './call-share.ts';

export interface SharedLimitsOptions {
  /** Its deadline bounds how long a call waits while the ledger is silent. */
  readonly take: Client<typeof CallLimitService>['take'];
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
  readonly logger: Logger;
}

export interface TakeOptions {
  /** Allows an overdraft: the first call after a pause goes ahead before the ledger answers. */
  readonly onCredit: boolean;
}

/** Items of each kind in one request, as in the contract. */
const MOST_WISHES = 1_000;
const CAPACITY = 20_000;
/** How long requests that no call waits for are batched, in milliseconds. */
const GATHER_MS = 75;
const RENEW_MS = 1_000;
/** How long this process limits locally after the ledger failed, in milliseconds. */
const ALONE_MS = 5_000;

/**
 * Limits calls per second and calls in flight over all processes of the installation. The ledger
 * grants shares, and each process counts its own (decisions 0009 and 0021).
 *
 * One request is in flight at a time and covers all owners, so that load at the ledger grows with
 * time and not with calls. While the ledger is unreachable, each process applies the whole limit
 * locally.
 */
export class SharedLimits implements AsyncDisposable {
  readonly #options: SharedLimitsOptions;
  readonly #holder = randomUUID();
  readonly #calls = new LRUCache<string, CallShare>({ max: CAPACITY });
  readonly #places = new Map<string, PlaceShare>();
  readonly #shortOfCalls = new Set<CallShare>();
  readonly #shortOfPlaces = new Set<PlaceShare>();
  readonly #owing = new Set<CallShare>();
  readonly #unplaced = new Set<PlaceShare>();
  #gathering: NodeJS.Timeout | undefined;
  readonly #alone: TokenBuckets;
  readonly #renewing: AsyncDisposable;
  readonly #unasked = metrics.getMeter('ces').createCounter('ces.call_limits.unasked', {
    description:
      'Questions about limits of the installation that the ledger did not answer: each process limits for itself.',
  });
  #aloneUntil = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;

  constructor(options: SharedLimitsOptions) {
    this.#options = options;
    this.#alone = new TokenBuckets(CAPACITY, options.now);
    this.#unasked.add(0);
    this.#renewing = startPeriodicTask({
      name: 'renewing places of calls in flight',
      everyMs: RENEW_MS,
      run: () => this.#renew(),
      logger: options.logger,
    });
  }

  /** Returns 0, or the milliseconds until a call is allowed. */
  async takeCall(owner: string, rate: Rate, { onCredit }: TakeOptions): Promise<number> {
    const now = this.#options.now();
    const share = this.#calls.get(owner) ?? new CallShare(owner, rate);
    this.#calls.set(owner, share);
    const isAlone = this.#isAlone(now);
    const waitMs = share.make(now, rate, onCredit && !isAlone);
    if (waitMs === undefined && isAlone) return this.#alone.take(owner, rate);
    const answered = waitMs ?? share.wait();
    const need = share.need(now);
    if (need === 'now') this.#shortOfCalls.add(share);
    else if (need === 'soon' && waitMs === 0) this.#gather(this.#owing, share);
    this.#ask();
    return await answered;
  }

  giveBack(owner: string): void {
    const now = this.#options.now();
    if (this.#isAlone(now)) this.#alone.giveBack(owner);
    else this.#calls.get(owner)?.giveBack(now);
  }

  /** Returns a function that leaves, callable more than once; undefined at the limit of `most`. */
  async enter(owner: string, most: number): Promise<(() => void) | undefined> {
    const now = this.#options.now();
    const share = this.#places.get(owner) ?? new PlaceShare(owner, most);
    this.#places.set(owner, share);
    let hasPlace = share.occupy(now, most);
    if (hasPlace === undefined && this.#isAlone(now)) hasPlace = share.occupyAlone(most);
    const answered = hasPlace ?? share.wait();
    if (share.hasWaiting) this.#shortOfPlaces.add(share);
    else if (share.isShort) this.#gather(this.#unplaced, share);
    this.#ask();
    if (!(await answered)) return undefined;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      share.leave();
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#renewing[Symbol.asyncDispose]();
    this.#askForGathered();
    await this.#asking;
    clearTimeout(this.#gathering);
    const places = [...this.#places.values()].map((share) => ({ ...share.wish(), occupied: 0, wanted: 0 }));
    if (places.length === 0 || this.#isAlone(this.#options.now())) return;
    await this.#options
      .take({ holder: this.#holder, places: places.slice(0, MOST_WISHES) })
      .catch((error: unknown) =>
        this.#options.logger.debug({ err: error }, 'places not given back; they end by themselves'),
      );
  }

  #isAlone(now: number): boolean {
    return now < this.#aloneUntil;
  }

  #gather<T>(owed: Set<T>, share: T): void {
    owed.add(share);
    this.#gathering ??= untraced(() => setTimeout(() => this.#askForGathered(), GATHER_MS));
  }

  #askForGathered(): void {
    this.#takeUpGathered();
    this.#ask();
  }

  /** Moves batched shares into the next request, except slots whose calls have ended. */
  #takeUpGathered(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    const now = this.#options.now();
    for (const share of this.#owing) if (share.need(now)) this.#shortOfCalls.add(share);
    for (const share of this.#unplaced)
      if (share.isIdle) this.#places.delete(share.owner);
      else if (share.isShort) this.#shortOfPlaces.add(share);
    this.#owing.clear();
    this.#unplaced.clear();
  }

  #ask(): void {
    if (this.#shortOfCalls.size + this.#shortOfPlaces.size === 0 || this.#isAlone(this.#options.now())) return;
    this.#asking ??= this.#askAll().finally(() => {
      this.#asking = undefined;
      this.#ask();
    });
  }

  /** Never rejects: a failure switches to local limits. */
  async #askAll(): Promise<void> {
    while (this.#shortOfCalls.size + this.#shortOfPlaces.size > 0 && !this.#isAlone(this.#options.now())) {
      this.#takeUpGathered();
      const calls = takeSome(this.#shortOfCalls);
      const places = takeSome(this.#shortOfPlaces);
      try {
        await this.#askFor(calls, places);
      } catch (error) {
        this.#unasked.add(1);
        this.#options.logger.debug(
          { err: error },
          'limits of the installation are not known; this process limits alone',
        );
        this.#goAlone([...calls, ...takeSome(this.#shortOfCalls)], [...places, ...takeSome(this.#shortOfPlaces)]);
      }
    }
  }

  async #askFor(calls: readonly CallShare[], places: readonly PlaceShare[]): Promise<void> {
    const answer = await this.#options.take({
      holder: this.#holder,
      calls: calls.map((share) => share.wish()),
      places: places.map((share) => share.wish()),
    });
    const now = this.#options.now();
    for (const [at, share] of calls.entries()) {
      share.answer(answer.calls[at] ?? NOTHING_TAKEN, now);
      if (share.hasWaiting) this.#shortOfCalls.add(share);
    }
    for (const [at, share] of places.entries()) {
      share.answer(answer.places[at]?.places ?? 0, now);
      if (share.hasWaiting) this.#shortOfPlaces.add(share);
      if (share.isUnused) this.#places.delete(share.owner);
    }
  }

  #goAlone(calls: readonly CallShare[], places: readonly PlaceShare[]): void {
    this.#aloneUntil = this.#options.now() + ALONE_MS;
    for (const share of calls) share.fail((owner, rate) => this.#alone.take(owner, rate));
    for (const share of places) share.fail();
  }

  async #renew(): Promise<void> {
    for (const share of this.#places.values()) this.#shortOfPlaces.add(share);
    this.#ask();
    await this.#asking;
  }
}

const NOTHING_TAKEN = { taken: 0, waitMs: 1_000 };

function takeSome<T>(from: Set<T>): T[] {
  const some = [...from].slice(0, MOST_WISHES);
  for (const one of some) from.delete(one);
  return some;
}
