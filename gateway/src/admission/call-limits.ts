import { DelayedRejections, TooManyCalls } from './delayed-rejection.ts';
import { TokenBuckets } from './token-buckets.ts';

/** Limits that are no allowance (gateway/docs/contract.md, Order of checks). */
export interface CallLimitSettings {
  readonly credentialCallsPerSecond: number;
  readonly credentialBurst: number;
  readonly addressFailuresPerSecond: number;
  readonly accountCallsInFlight: number;
  readonly callsInFlight: number;
  readonly pollsPerSecond: number;
  readonly refusalHoldMs: number;
}

/** All of them but the concurrency limiter; each method throws TooManyCalls. They bound memory, it bounds latency. */
export class CallLimits {
  readonly #failures: TokenBuckets;
  readonly #calls: TokenBuckets;
  readonly #polls: TokenBuckets;
  readonly #inFlight = new Map<bigint, number>();
  readonly #settings: CallLimitSettings;
  readonly #rejections: DelayedRejections;
  #allInFlight = 0;

  constructor(settings: CallLimitSettings, now: () => number) {
    const buckets = (perSecond: number, burst: number) => new TokenBuckets({ perSecond, burst, now });
    this.#failures = buckets(settings.addressFailuresPerSecond, settings.addressFailuresPerSecond);
    this.#calls = buckets(settings.credentialCallsPerSecond, settings.credentialBurst);
    this.#polls = buckets(settings.pollsPerSecond, settings.pollsPerSecond);
    this.#settings = settings;
    this.#rejections = new DelayedRejections(settings.refusalHoldMs);
  }

  /** Rejects an address that failed to authenticate too often. */
  checkAddress(address: string): void {
    const { addressFailuresPerSecond: most } = this.#settings;
    reject(
      this.#failures.secondsUntilToken(address),
      `Too many failed authentications from this address: at most ${most} a second.`,
    );
  }

  countFailedAuthentication(address: string): void {
    this.#failures.take(address);
  }

  takeCall(credentialId: bigint): void {
    const { credentialCallsPerSecond: most, credentialBurst: burst } = this.#settings;
    reject(
      this.#calls.take(String(credentialId)),
      `Too many calls with this credential: at most ${most} a second and ${burst} at once.`,
    );
  }

  takePoll(accountId: bigint, operationId: bigint): void {
    reject(
      this.#polls.take(`${accountId}/${operationId}`),
      `This operation is polled too often: at most ${this.#settings.pollsPerSecond} times a second; wait a few seconds.`,
    );
  }

  /** Enters a call of an account; the function returned leaves it, once. */
  enter(accountId: bigint): () => void {
    const before = this.#inFlight.get(accountId) ?? 0;
    const { accountCallsInFlight: most } = this.#settings;
    if (before >= most)
      throw new TooManyCalls(
        'service_unavailable',
        `This account has too many calls in flight, at most ${most}: wait for some to end.`,
      );
    if (this.#allInFlight >= this.#settings.callsInFlight)
      throw new TooManyCalls('service_unavailable', 'The service has too much to do now; try again with the same key.');
    this.#inFlight.set(accountId, before + 1);
    this.#allInFlight += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#leave(accountId);
    };
  }

  /** Ends when what a method has thrown may be answered. */
  async delayRejection(): Promise<void> {
    await this.#rejections.wait();
  }

  #leave(accountId: bigint): void {
    this.#allInFlight -= 1;
    const before = this.#inFlight.get(accountId) ?? 1;
    if (before > 1) this.#inFlight.set(accountId, before - 1);
    else this.#inFlight.delete(accountId);
  }
}

function reject(retryAfterSeconds: number, message: string): void {
  if (retryAfterSeconds > 0) throw new TooManyCalls('rate_limited', message, { retryAfterSeconds });
}
