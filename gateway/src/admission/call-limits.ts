import { HeldRefusals, TooMuch } from './delayed-rejection.ts';
import { TokenBuckets } from './token-buckets.ts';

/** Limits that are no allowance (decisions.md, Order of checks, 6). */
export interface LimitSettings {
  readonly credentialCallsPerSecond: number;
  readonly credentialBurst: number;
  readonly addressFailuresPerSecond: number;
  readonly accountCallsInFlight: number;
  readonly callsInFlight: number;
  readonly pollsPerSecond: number;
  readonly refusalHoldMs: number;
}

/** All of them; each method throws TooMuch. */
export class Limits {
  readonly #failures: TokenBuckets;
  readonly #calls: TokenBuckets;
  readonly #polls: TokenBuckets;
  readonly #inFlight = new Map<bigint, number>();
  readonly #settings: LimitSettings;
  readonly #refusals: HeldRefusals;
  #allInFlight = 0;

  constructor(settings: LimitSettings, now: () => number) {
    const buckets = (perSecond: number, burst: number) => new TokenBuckets({ perSecond, burst, now });
    this.#failures = buckets(settings.addressFailuresPerSecond, settings.addressFailuresPerSecond);
    this.#calls = buckets(settings.credentialCallsPerSecond, settings.credentialBurst);
    this.#polls = buckets(settings.pollsPerSecond, settings.pollsPerSecond);
    this.#settings = settings;
    this.#refusals = new HeldRefusals(settings.refusalHoldMs);
  }

  /** Refuses an address that failed to authenticate too often. */
  checkAddress(address: string): void {
    const { addressFailuresPerSecond: most } = this.#settings;
    refuse(
      this.#failures.secondsUntilToken(address),
      `Too many failed authentications from this address: at most ${most} a second.`,
    );
  }

  countFailedAuthentication(address: string): void {
    this.#failures.take(address);
  }

  takeCall(credentialId: bigint): void {
    const { credentialCallsPerSecond: most, credentialBurst: burst } = this.#settings;
    refuse(
      this.#calls.take(String(credentialId)),
      `Too many calls with this credential: at most ${most} a second and ${burst} at once.`,
    );
  }

  takePoll(accountId: bigint, operationId: bigint): void {
    refuse(
      this.#polls.take(`${accountId}/${operationId}`),
      `This operation is polled too often: at most ${this.#settings.pollsPerSecond} times a second; wait a few seconds.`,
    );
  }

  /** Enters a call of an account; the function returned leaves it, once. */
  enter(accountId: bigint): () => void {
    const before = this.#inFlight.get(accountId) ?? 0;
    const { accountCallsInFlight: most } = this.#settings;
    if (before >= most)
      throw new TooMuch(
        'service_unavailable',
        `This account has too many calls in flight, at most ${most}: wait for some to end.`,
      );
    if (this.#allInFlight >= this.#settings.callsInFlight)
      throw new TooMuch('service_unavailable', 'The service has too much to do now; try again with the same key.');
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
  async holdRefusal(): Promise<void> {
    await this.#refusals.wait();
  }

  #leave(accountId: bigint): void {
    this.#allInFlight -= 1;
    const before = this.#inFlight.get(accountId) ?? 1;
    if (before > 1) this.#inFlight.set(accountId, before - 1);
    else this.#inFlight.delete(accountId);
  }
}

function refuse(retryAfterSeconds: number, message: string): void {
  if (retryAfterSeconds > 0) throw new TooMuch('rate_limited', message, { retryAfterSeconds });
}
