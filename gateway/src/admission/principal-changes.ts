import { untraced } from '@ces/chassis/telemetry/span';

/** Comparable only within one epoch. */
export interface PrincipalVersion {
  readonly epoch: string;
  readonly version: bigint;
}

export interface Changes {
  readonly now: PrincipalVersion;
  readonly everything: boolean;
  readonly accountIds: readonly bigint[];
}

/** `history`: as at the request for the answer. */
export interface Known {
  readonly accountId: bigint;
  readonly version: PrincipalVersion;
  readonly history: number;
}

export interface PrincipalChangesOptions {
  readonly ask: (since: PrincipalVersion) => Promise<Changes>;
  /** How long a poll confirms accounts that it does not name. */
  readonly freshMs: number;
  readonly now: () => number;
}

interface State extends PrincipalVersion {
  /** `changed` is complete only after this version. */
  readonly coveredFrom: bigint;
  /** Each changed account has an upper bound of the version of its latest change. */
  readonly changed: Map<bigint, bigint>;
  /** Start of the latest answered poll. */
  readonly at: number;
}

const CAPACITY = 10_000;

/**
 * One poll in flight replaces a request for each bearer: two a second while calls come, none while
 * idle (decision 0021). A lower version or another epoch means a restored ledger: polls never
 * confirm answers from before it.
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

  /** Store it with each request for an answer. */
  get history(): number {
    return this.#history;
  }

  follow(version: PrincipalVersion): void {
    if (this.#options.freshMs === 0) return;
    this.#state ??= {
      ...version,
      coveredFrom: version.version,
      changed: new Map(),
      at: Number.NEGATIVE_INFINITY,
    };
  }

  /** If so, the answer was true when the latest poll started, or later. */
  covers({ accountId, version: { epoch, version }, history }: Known): boolean {
    const state = this.#state;
    const isFollowed = state?.epoch === epoch && history === this.#history && version >= state.coveredFrom;
    return isFollowed && (state.changed.get(accountId) ?? 0n) <= version;
  }

  /** -Infinity before the first. */
  get polledAt(): number {
    return this.#state?.at ?? Number.NEGATIVE_INFINITY;
  }

  isOutdated({ accountId, version: { epoch, version } }: Known): boolean {
    return this.#state?.epoch === epoch && (this.#state.changed.get(accountId) ?? 0n) > version;
  }

  /** Polls after half of `freshMs`, so that later calls find a recent one. */
  keepFresh(): void {
    const now = this.#options.now();
    if (!this.#poll && now - this.#begunAt >= this.#options.freshMs / 2) this.#begin(now);
  }

  /** Waits for the poll in flight unless it is older than `freshMs` or the latest poll failed. */
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
