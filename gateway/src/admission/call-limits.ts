import type { CallerLimitSettings, CallerLimits, Rejection } from '@ces/chassis/limits/caller-limits';
import { TokenBuckets } from '@ces/chassis/limits/token-buckets';
import { PublicError } from '../errors/public-error.ts';
import { DelayedRejections, TooManyCalls, TooManyOfAccount } from './delayed-rejection.ts';

/** Not part of an allowance (gateway/docs/contract.md, Order of checks). */
export interface CallLimitSettings extends CallerLimitSettings {
  readonly maxInFlightCalls: number;
  readonly pollsPerSecond: number;
  readonly accountObservationsPerHour: number;
  readonly rejectionDelayMs: number;
}

const POLLED = 20_000;

/** They bound memory; the concurrency limiter bounds latency. Each method throws TooManyCalls. */
export class CallLimits {
  readonly #callers: CallerLimits;
  readonly #polls: TokenBuckets;
  readonly #settings: CallLimitSettings;
  readonly #rejections: DelayedRejections;
  #allInFlight = 0;

  constructor(callers: CallerLimits, settings: CallLimitSettings, now: () => number) {
    this.#callers = callers;
    this.#polls = new TokenBuckets(POLLED, now);
    this.#settings = settings;
    this.#rejections = new DelayedRejections(settings.rejectionDelayMs);
  }

  /** A bad key counts as a try of the address. A good key is never rejected because of it. */
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

  async takePage(accountId: bigint): Promise<void> {
    reject(await this.#callers.takePage(accountId));
  }

  async takeObservation(accountId: bigint): Promise<void> {
    reject(await this.#callers.takeObservation(accountId, this.#settings.accountObservationsPerHour));
  }

  takePoll(accountId: bigint, operationId: bigint): void {
    const { pollsPerSecond: most } = this.#settings;
    const waitMs = this.#polls.take(`${accountId}/${operationId}`, { perSecond: most, burst: most });
    const message = `This operation is polled too often: at most ${most} times a second; wait a few seconds.`;
    reject(waitMs > 0 ? { waitMs, message } : undefined);
  }

  /** The returned function ends it; a second call does nothing. */
  async enter(accountId: bigint): Promise<() => void> {
    const leave = await this.#callers.enter(accountId);
    if (!leave)
      throw new TooManyOfAccount(
        'service_unavailable',
        `This account has too many calls in flight, at most ${this.#settings.accountCallsInFlight}: wait for some to end.`,
      );
    if (this.#allInFlight >= this.#settings.maxInFlightCalls) {
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
