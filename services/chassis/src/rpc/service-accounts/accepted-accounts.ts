import { LRUCache } from 'lru-cache';
import type { Logger } from '../../telemetry/log.ts';
import { sha256 } from '../caller-tokens.ts';
import { issuerKeys } from './issuer-keys.ts';
import type { IssuerKeys, KeySet } from './key-set.ts';
import { Refusals } from './refusals.ts';
import { checkServiceAccounts, type ServiceAccountSettings } from './settings.ts';
import { verifyToken } from './verify.ts';

const MAX_CACHED = 1_000;

export interface AcceptedServiceAccounts extends AsyncDisposable {
  /** Undefined if the token is invalid, which is logged. */
  find(token: string): string | undefined | Promise<string | undefined>;
}

/** Undefined without accounts. Throws ConfigurationError for an incomplete configuration. */
export function acceptedServiceAccounts(
  settings: ServiceAccountSettings,
  logger: Logger,
): AcceptedServiceAccounts | undefined {
  if (settings.serviceAccounts.size === 0) return undefined;
  checkServiceAccounts(settings);
  return new Accepted(settings, issuerKeys(settings, logger), logger);
}

interface CachedToken {
  readonly caller: string;
  readonly expiresAt: number;
  readonly keys: KeySet;
}

class Accepted implements AcceptedServiceAccounts {
  readonly #settings: ServiceAccountSettings;
  readonly #issuer: IssuerKeys;
  readonly #refusals: Refusals;
  readonly #cached = new LRUCache<string, CachedToken>({ max: MAX_CACHED });
  readonly #checking = new Map<string, Promise<string | undefined>>();

  constructor(settings: ServiceAccountSettings, issuer: IssuerKeys, logger: Logger) {
    this.#settings = settings;
    this.#issuer = issuer;
    this.#refusals = new Refusals(logger);
  }

  find(token: string): string | undefined | Promise<string | undefined> {
    const digest = sha256(token).toString('base64');
    const known = this.#cached.get(digest);
    if (known && known.expiresAt > Date.now() && known.keys === this.#issuer.current) return known.caller;
    const checking =
      this.#checking.get(digest) ?? this.#check(token, digest).finally(() => this.#checking.delete(digest));
    this.#checking.set(digest, checking);
    return checking;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#issuer[Symbol.asyncDispose]();
  }

  async #check(token: string, digest: string): Promise<string | undefined> {
    const verdict = await verifyToken(token, this.#settings, this.#issuer);
    if (verdict.kind === 'proven') {
      this.#cached.set(digest, verdict);
      return verdict.caller;
    }
    this.#refusals.log(verdict.reason);
    return undefined;
  }
}
