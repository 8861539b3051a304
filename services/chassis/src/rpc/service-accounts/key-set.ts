import { createLocalJWKSet, type JWTVerifyGetKey } from 'jose';

/** Public keys of an issuer, as they were at one time: the same object as long as they are the same keys. */
export type KeySet = JWTVerifyGetKey;

/** The public keys of whoever issues tokens of ServiceAccounts. */
export interface IssuerKeys extends AsyncDisposable {
  /** Those known now; undefined: none yet. */
  readonly current: KeySet | undefined;
  /** Those known after another look, where one is due; never rejects. */
  renew(): Promise<KeySet | undefined>;
}

/** A set of keys (RFC 7517) as the cluster publishes it; throws for what is none, and for one without keys. */
export function parseKeySet(text: string): KeySet {
  const { keys } = JSON.parse(text) as { readonly keys?: unknown };
  if (!Array.isArray(keys) || keys.length === 0) throw new Error('it is no set of keys (JWKS)');
  return createLocalJWKSet({ keys });
}
