import type { CallerLimitSettings, CallerLimits, Rejection } from '@ces/chassis/limits/caller-limits';
import { TokenBuckets } from '@ces/chassis/limits/token-buckets';
import { PublicError } from '../errors/public-error.ts';
import { DelayedRejections, TooManyCalls, TooManyOfAccount } from './delayed-rejection.ts';

/** Limits that are no allowance (gateway/docs/contract.md, Order of checks). */
export interface CallLimitSettings extends CallerLimitSettings {
  readonly callsInFlight: number;
  readonly pollsPerSecond: number;
  readonly accountObservationsPerHour: number;
  readonly refusalHoldMs: number;
}

/** Operations whose polls are counted at most. */
const POLLED = 20_000;

/** All of them but the concurrency limiter; each method throws TooManyCalls. They bound memory, it bounds latency. */
export class CallLimits {
  readonly #callers: CallerLimits;
  readonly #polls: TokenBuckets;
  readonly #settings: CallLimitSettings;
  readonly #rejections: DelayedRejections;
  #allInFlight = 0;

  /** `callers` are the limits of the installation, the others this process's own. */
  constructor(callers: CallerLimits, settings: CallLimitSettings, now: () => number) {
    this.#callers = callers;
    this.#polls = new TokenBuckets(POLLED, now);
    this.#settings = settings;
    this.#rejections = new DelayedRejections(settings.refusalHoldMs);
  }

  /**
   * Authenticates for an address: a key that is bad is a try of the address, and one try too many is rejected as such. A key that is
   * good is never rejected for what its address did.
   */
  async countFailures<T>(address: string, authenticate: () => Promise<T>): Promise<T> {
    const attempt = this.#callers.attempt(address);
    try {
      const principal = await authenticate();
      attempt.forgive();
      return principal;
    } catch (error) {
      if (!isRefusedKey(error)) attempt.forgive();
      else reject(await attempt.fail());
      throw error;
    }
  }

  async takeCall(credentialId: bigint): Promise<void> {
    reject(await this.#callers.takeCall(credentialId));
  }

  /** Counts a page of what an account reads of itself at no price. */
  async takePage(accountId: bigint): Promise<void> {
    reject(await this.#callers.takePage(accountId));
  }

  /** Counts a read of one observation by an account. */
  async takeObservation(accountId: bigint): Promise<void> {
    reject(await this.#callers.takeObservation(accountId, this.#settings.accountObservationsPerHour));
  }

  takePoll(accountId: bigint, operationId: bigint): void {
    const { pollsPerSecond: most } = this.#settings;
    const waitMs = this.#polls.take(`${accountId}/${operationId}`, { perSecond: most, burst: most });
    const message = `This operation is polled too often: at most ${most} times a second; wait a few seconds.`;
    reject(waitMs > 0 ? { waitMs, message } : undefined);
  }

  /** Enters a call of an account; the function returned leaves it, once. */
  async enter(accountId: bigint): Promise<() => void> {
    const leave = await this.#callers.enter(accountId);
    if (!leave)
      throw new TooManyOfAccount(
        'service_unavailable',
        `This account has too many calls in flight, at most ${this.#settings.accountCallsInFlight}: wait for some to end.`,
      );
    if (this.#allInFlight >= this.#settings.callsInFlight) {
      leave();
      throw new TooManyCalls('service_unavailable', 'The service has too much to do now; try again with the same key.');
    }
    this.#allInFlight += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#allInFlight -= 1;
      leave();
    };
  }

  /** Ends when what a method has thrown may be answered. */
  async delayRejection(): Promise<void> {
    await this.#rejections.wait();
  }
}

function isRefusedKey(error: unknown): boolean {
  return error instanceof PublicError && error.status === 401;
}

function reject(rejection: Rejection | undefined): void {
  if (!rejection) return;
  const retryAfterSeconds = Math.ceil(rejection.waitMs / 1_000);
  throw new TooManyCalls('rate_limited', rejection.message, { retryAfterSeconds });
}
