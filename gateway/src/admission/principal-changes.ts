import { untraced } from '@ces/chassis/telemetry/span';

/** As of which change the ledger answered; versions of one epoch compare. */
export interface PrincipalVersion {
  readonly epoch: string;
  readonly version: bigint;
}

/** What the ledger says has changed since a version. */
export interface Changes {
  readonly now: PrincipalVersion;
  /** True: any account may have changed. */
  readonly everything: boolean;
  readonly accountIds: readonly bigint[];
}

/** Of whom an answer is, as of which version, and in which history it was asked for. */
export interface Known {
  readonly accountId: bigint;
  readonly version: PrincipalVersion;
  readonly history: number;
}

export interface PrincipalChangesOptions {
  /** Asks the ledger what has changed since; rejects where it cannot say, an older one among them. */
  readonly ask: (since: PrincipalVersion) => Promise<Changes>;
  /** How long after it began a poll says that what it did not name is true, in milliseconds. */
  readonly freshMs: number;
  /** Milliseconds that never go back. */
  readonly now: () => number;
}

interface State extends PrincipalVersion {
  /** Changes up to this version may have gone unnoticed; of later ones `changed` has the accounts. */
  readonly coveredFrom: bigint;
  /** At which version at the latest an account has changed. */
  readonly changed: Map<bigint, bigint>;
  /** When the latest poll that was answered began: what `version` has was true then or later. */
  readonly at: number;
}

/** Changed accounts that are remembered at most. */
const CAPACITY = 10_000;

/**
 * Which answers of the ledger are still true, by asking it what has changed instead of asking again for each: one poll is under way at a
 * time, about two a second while calls come and none while nobody calls (decision 0021). A version that goes back, or another epoch,
 * begins a new history: answers that were asked for in an earlier one are never confirmed.
 */
export class PrincipalChanges {
  readonly #options: PrincipalChangesOptions;
  #state: State | undefined;
  #history = 0;
  #poll: { readonly begunAt: number; readonly ended: Promise<void> } | undefined;
  #begunAt = Number.NEGATIVE_INFINITY;
  #hasFailed = false;

  constructor(options: PrincipalChangesOptions) {
    this.#options = options;
  }

  /** To be noted with whatever is asked for now. */
  get history(): number {
    return this.#history;
  }

  /** An answer came with this version: changes are followed from the first one on. */
  follow(version: PrincipalVersion): void {
    if (this.#options.freshMs === 0) return;
    this.#state ??= {
      ...version,
      coveredFrom: version.version,
      changed: new Map(),
      at: Number.NEGATIVE_INFINITY,
    };
  }

  /** Whether all changes since an answer are known and none is of its account: then it was true when the latest poll began, or later. */
  covers({ accountId, version: { epoch, version }, history }: Known): boolean {
    const state = this.#state;
    const isFollowed = state?.epoch === epoch && history === this.#history && version >= state.coveredFrom;
    return isFollowed && (state.changed.get(accountId) ?? 0n) <= version;
  }

  /** When the latest poll that was answered began; -Infinity: there was none. */
  get polledAt(): number {
    return this.#state?.at ?? Number.NEGATIVE_INFINITY;
  }

  /** Whether the ledger has named the account of an answer since. */
  isOutdated({ accountId, version: { epoch, version } }: Known): boolean {
    return this.#state?.epoch === epoch && (this.#state.changed.get(accountId) ?? 0n) > version;
  }

  /** Polls ahead when the latest poll has half its life behind it, so that calls that follow find a younger one. */
  keepFresh(): void {
    const now = this.#options.now();
    if (!this.#poll && now - this.#begunAt >= this.#options.freshMs / 2) this.#begin(now);
  }

  /**
   * Resolves when a poll is answered that counts for a call of now, begun already or by this. At once where the latest one has failed:
   * then another is begun for those who come later, and nobody waits for it.
   */
  async refresh(): Promise<void> {
    const now = this.#options.now();
    this.keepFresh();
    if (!this.#hasFailed && this.#poll && now - this.#poll.begunAt < this.#options.freshMs) await this.#poll.ended;
  }

  #begin(begunAt: number): void {
    const { ask } = this.#options;
    const since = this.#state;
    if (!since) return;
    this.#begunAt = begunAt;
    const ended = untraced(() => ask({ epoch: since.epoch, version: since.version })).then(
      (changes) => {
        this.#poll = undefined;
        this.#hasFailed = false;
        this.#learn(since, changes, begunAt);
      },
      () => {
        this.#poll = undefined;
        this.#hasFailed = true;
      },
    );
    this.#poll = { begunAt, ended };
  }

  #learn(since: State, { now, everything, accountIds }: Changes, at: number): void {
    const goesOn = now.epoch === since.epoch && now.version >= since.version;
    if (!goesOn) this.#history += 1;
    if (!goesOn || everything || since.changed.size + accountIds.length > CAPACITY) {
      this.#state = { ...now, coveredFrom: now.version, changed: new Map(), at };
      return;
    }
    for (const accountId of accountIds) since.changed.set(accountId, now.version);
    this.#state = { ...since, version: now.version, at };
  }
}
