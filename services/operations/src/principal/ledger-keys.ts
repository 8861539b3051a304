import { createPublicKey, type KeyObject } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Ledger } from '../ledger/ledger.ts';

/** What the ledger said, by which it is believed later. */
export interface LedgerKeys {
  readonly keys: ReadonlyMap<string, KeyObject>;
  /** The ledger's clock now, in milliseconds since 1970: counted on without a clock that anyone may set. */
  now(): number;
}

/** Keys are asked for again after this time, in milliseconds; meanwhile, and while the ledger is away, those before count. */
const REFRESH_MS = 60_000;
/** Between two questions at least, in milliseconds, whatever is shown to us. */
const GAP_MS = 1_000;

/** The ledger's public keys and its clock, asked for when they are first needed. */
export class LedgerKeyCache {
  readonly #ledger: Pick<Ledger, 'readSigningKeys'>;
  #known: LedgerKeys | undefined;
  #asking: Promise<LedgerKeys> | undefined;
  #renewing: Promise<LedgerKeys> | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(ledger: Pick<Ledger, 'readSigningKeys'>) {
    this.#ledger = ledger;
  }

  /** Those that are known; rejects when there are none yet and the ledger cannot be asked. */
  async get(): Promise<LedgerKeys> {
    if (!this.#known) return await this.#ask();
    if (performance.now() - this.#askedAt > REFRESH_MS) this.#ask().catch(() => undefined);
    return this.#known;
  }

  /** Those that the ledger has now, for a statement that those known do not fit; those known while it is away. */
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
