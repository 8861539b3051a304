import type { SettingValues } from '../service/settings.ts';
import type { callLimitSettings } from './settings.ts';
import type { SharedLimits } from './shared-limits.ts';

export type CallerLimitSettings = SettingValues<typeof callLimitSettings>;

/** Why a call is not let in, with the milliseconds until there may be one again. */
export interface Rejection {
  readonly message: string;
  readonly waitMs: number;
}

/** A try to authenticate whose outcome is not known. */
export interface Attempt {
  /** The key is good, or nobody knows: the try is given back. */
  forgive(): void;
  /** The key is bad: the rejection, when this address has had its tries for now. */
  fail(): Promise<Rejection | undefined>;
}

/** How owners are named at the ledger: by everybody alike, or a limit would be one of several. */
const OWNERS = {
  credential: (id: bigint) => `credential/${id}`,
  account: (id: bigint) => `account/${id}`,
  address: (address: string) => `address/${address}`,
  pages: (accountId: bigint) => `pages/${accountId}`,
  observations: (accountId: bigint) => `observations/${accountId}`,
};

/** Limits of those who call, whichever process of the installation they call and by whichever surface. */
export class CallerLimits {
  readonly #shared: SharedLimits;
  readonly #settings: CallerLimitSettings;

  constructor(shared: SharedLimits, settings: CallerLimitSettings) {
    this.#shared = shared;
    this.#settings = settings;
  }

  /** Counts a call of a credential; the rejection, when it is one too many. */
  async takeCall(credentialId: bigint): Promise<Rejection | undefined> {
    const { credentialCallsPerSecond: perSecond, credentialBurst: burst } = this.#settings;
    const owner = OWNERS.credential(credentialId);
    const waitMs = await this.#shared.takeCall(owner, { perSecond, burst }, { onCredit: true });
    if (waitMs === 0) return undefined;
    return {
      waitMs,
      message: `Too many calls with this credential: at most ${perSecond} a second and ${burst} at once.`,
    };
  }

  /** Counts a page of an account's operations or statement, which cost it nothing; the rejection, when it is one too many. */
  async takePage(accountId: bigint): Promise<Rejection | undefined> {
    const most = this.#settings.accountPagesPerSecond;
    const rate = { perSecond: most, burst: most };
    const waitMs = await this.#shared.takeCall(OWNERS.pages(accountId), rate, { onCredit: true });
    if (waitMs === 0) return undefined;
    return {
      waitMs,
      message: `Too many pages of usages and statements of this account: at most ${most} a second; wait a second.`,
    };
  }

  /** Counts a read of one observation, which costs nothing; the rejection, when the account has had `most` in an hour. */
  async takeObservation(accountId: bigint, most: number): Promise<Rejection | undefined> {
    const rate = { perSecond: 1, perHour: most, burst: most };
    const waitMs = await this.#shared.takeCall(OWNERS.observations(accountId), rate, { onCredit: false });
    if (waitMs === 0) return undefined;
    return { waitMs, message: `Too many reads of single observations by this account: at most ${most} an hour.` };
  }

  /** Enters a call of an account in flight: leaves it, once; undefined when the account has too many. */
  async enter(accountId: bigint): Promise<(() => void) | undefined> {
    return await this.#shared.enter(OWNERS.account(accountId), this.#settings.accountCallsInFlight);
  }

  /**
   * Counts a try of an address (or of another source of calls) when it is made, so that tries that come together are counted. It
   * holds up nobody: whether there were too many matters when the key turns out bad, and then alone.
   */
  attempt(address: string): Attempt {
    const most = this.#settings.addressFailuresPerSecond;
    const owner = OWNERS.address(address);
    const taken = this.#shared.takeCall(owner, { perSecond: most, burst: most }, { onCredit: false });
    const giveBack = (waitMs: number) => {
      if (waitMs === 0) this.#shared.giveBack(owner);
    };
    return {
      forgive: () => void taken.then(giveBack),
      fail: async () => {
        const waitMs = await taken;
        if (waitMs === 0) return undefined;
        return { waitMs, message: `Too many failed authentications from this address: at most ${most} a second.` };
      },
    };
  }
}
