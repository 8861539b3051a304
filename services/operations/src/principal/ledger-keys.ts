import { createPublicKey, type KeyObject } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Ledger } from '../ledger/ledger.ts';

export interface LedgerKeys {
  readonly keys: ReadonlyMap<string, KeyObject>;
  /** Milliseconds since 1970, extrapolated with a monotonic clock. */
  now(): number;
}

/** Until the next fetch, and while the ledger is unreachable, the known keys apply. */
const REFRESH_MS = 60_000;
/** However many unknown signatures arrive. */
const GAP_MS = 1_000;

export class LedgerKeyCache {
  readonly #ledger: Pick<Ledger, 'readSigningKeys'>;
  #known: LedgerKeys | undefined;
  #asking: Promise<LedgerKeys> | undefined;
  #renewing: Promise<LedgerKeys> | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(ledger: Pick<Ledger, 'readSigningKeys'>) {
    this.#ledger = ledger;
  }

  /** Rejects when none are known and the ledger is unreachable. */
  async get(): Promise<LedgerKeys> {
    if (!this.#known) return await this.#ask();
    if (performance.now() - this.#askedAt > REFRESH_MS) this.#ask().catch(() => undefined);
    return this.#known;
  }

  /** Fetches for an unverified statement. Keeps the known keys while the ledger is unreachable. */
  async renew(): Promise<LedgerKeys> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return await this.#renewing;
  }

  async #renew(): Promise<LedgerKeys> {
    await pause(Math.max(0, this.#askedAt + GAP_MS - performance.now()));
    return await this.#ask().catch((error: unknown) => {
      if (this.#known) return this.#known;
      throw error;
    });
  }

  #ask(): Promise<LedgerKeys> {
    this.#asking ??= this.#read().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #read(): Promise<LedgerKeys> {
    this.#askedAt = performance.now();
    const { keys, now } = await this.#ledger.readSigningKeys();
    const offset = now.getTime() - performance.now();
    this.#known = {
      keys: new Map(
        keys.map(({ name, publicKey }) => [
          name,
          createPublicKey({ key: Buffer.from(publicKey), format: 'der', type: 'spki' }),
        ]),
      ),
      now: () => offset + performance.now(),
    };
    return this.#known;
  }
}
