import { LRUCache } from 'lru-cache';
import type { Logger } from '../../telemetry/log.ts';
import { sha256 } from '../caller-tokens.ts';
import { issuerKeys } from './issuer-keys.ts';
import type { IssuerKeys, KeySet } from './key-set.ts';
import { Refusals } from './refusals.ts';
import { checkServiceAccounts, type ServiceAccountSettings } from './settings.ts';
import { verifyToken } from './verify.ts';

/** Tokens that are remembered at once: those of every pod that calls, and the ones that take their place. */
const REMEMBERED = 1_000;

/** The callers that prove themselves by tokens of their ServiceAccounts. */
export interface AcceptedServiceAccounts extends AsyncDisposable {
  /** The name of the caller that shows this token; undefined where it proves nobody, which the log tells. */
  find(token: string): string | undefined | Promise<string | undefined>;
}

/** Whom the settings accept; undefined where they name no account. Throws ConfigurationError for half a configuration. */
export function acceptedServiceAccounts(
  settings: ServiceAccountSettings,
  logger: Logger,
): AcceptedServiceAccounts | undefined {
  if (settings.serviceAccounts.size === 0) return undefined;
  checkServiceAccounts(settings);
  return new Accepted(settings, issuerKeys(settings, logger), logger);
}

interface Remembered {
  readonly caller: string;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
  readonly keys: KeySet;
}

/** A signature is checked once: a token that was found good counts by its digest until it ends or the issuer's keys change. */
class Accepted implements AcceptedServiceAccounts {
  readonly #settings: ServiceAccountSettings;
  readonly #issuer: IssuerKeys;
  readonly #refusals: Refusals;
  readonly #remembered = new LRUCache<string, Remembered>({ max: REMEMBERED });
  readonly #checking = new Map<string, Promise<string | undefined>>();

  constructor(settings: ServiceAccountSettings, issuer: IssuerKeys, logger: Logger) {
    this.#settings = settings;
    this.#issuer = issuer;
    this.#refusals = new Refusals(logger);
  }

  find(token: string): string | undefined | Promise<string | undefined> {
    const digest = sha256(token).toString('base64');
    const known = this.#remembered.get(digest);
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
      this.#remembered.set(digest, verdict);
      return verdict.caller;
    }
    this.#refusals.log(verdict.reason);
    return undefined;
  }
}
