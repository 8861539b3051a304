import type { SettingValues } from '../settings.ts';
import type { callLimitSettings } from './settings.ts';
import type { SharedLimits } from './shared-limits.ts';

export type CallerLimitSettings = SettingValues<typeof callLimitSettings>;

export interface Rejection {
  readonly message: string;
  readonly waitMs: number;
}

export interface Attempt {
  forgive(): void;
  /** The key is invalid. Returns a rejection if the address has used up its attempts. */
  fail(): Promise<Rejection | undefined>;
}

/** Every process must spell owners alike, or their limits do not add up. */
const OWNERS = {
  credential: (id: bigint) => `credential/${id}`,
  account: (id: bigint) => `account/${id}`,
  address: (address: string) => `address/${address}`,
  pages: (accountId: bigint) => `pages/${accountId}`,
  observations: (accountId: bigint) => `observations/${accountId}`,
};

export class CallerLimits {
  readonly #shared: SharedLimits;
  readonly #settings: CallerLimitSettings;

  constructor(shared: SharedLimits, settings: CallerLimitSettings) {
    this.#shared = shared;
    this.#settings = settings;
  }

  async takeCall(credentialId: bigint): Promise<Rejection | undefined> {
    const { credentialCallsPerSecond: perSecond, credentialBurst: burst } = this.#settings;
    const owner = OWNERS.credential(credentialId);
    const waitMs = await this.#shared.takeCall(owner, { perSecond, burst }, { overdraft: true });
    if (waitMs === 0) return undefined;
    return {
      waitMs,
      message: `Too many calls with this credential: at most ${perSecond} a second and ${burst} at once.`,
    };
  }

  async takePage(accountId: bigint): Promise<Rejection | undefined> {
    const most = this.#settings.accountPagesPerSecond;
    const rate = { perSecond: most, burst: most };
    const waitMs = await this.#shared.takeCall(OWNERS.pages(accountId), rate, { overdraft: true });
    if (waitMs === 0) return undefined;
    return {
      waitMs,
      message: `Too many pages of usages and statements of this account: at most ${most} a second; wait a second.`,
    };
  }

  async takeObservation(accountId: bigint, most: number): Promise<Rejection | undefined> {
    const rate = { perSecond: 1, perHour: most, burst: most };
    const waitMs = await this.#shared.takeCall(OWNERS.observations(accountId), rate, { overdraft: false });
    if (waitMs === 0) return undefined;
    return { waitMs, message: `Too many reads of single observations by this account: at most ${most} an hour.` };
  }

  /** The function leaves, more than once without harm; undefined at the limit. */
  async enter(accountId: bigint): Promise<(() => void) | undefined> {
    return await this.#shared.enter(OWNERS.account(accountId), this.#settings.accountCallsInFlight);
  }

  /**
   * Counts at its start, so that concurrent attempts count. Only a failed key waits for the result.
   */
  attempt(address: string): Attempt {
    const most = this.#settings.addressFailuresPerSecond;
    const owner = OWNERS.address(address);
    const taken = this.#shared.takeCall(owner, { perSecond: most, burst: most }, { overdraft: false });
    const refund = (waitMs: number) => {
      if (waitMs === 0) this.#shared.refund(owner);
    };
    return {
      forgive: () => void taken.then(refund),
      fail: async () => {
        const waitMs = await taken;
        if (waitMs === 0) return undefined;
        return { waitMs, message: `Too many failed authentications from this address: at most ${most} a second.` };
      },
    };
  }
}
