import { createLocalJWKSet, type JWTVerifyGetKey } from 'jose';

/** An issuer's public keys at one time; the object changes only if the keys change. */
export type KeySet = JWTVerifyGetKey;

export interface IssuerKeys extends AsyncDisposable {
  readonly current: KeySet | undefined;
  /** Fetches again if a fetch is due; never rejects. */
  renew(): Promise<KeySet | undefined>;
}

/** Parses a JSON Web Key Set (RFC 7517 §5); throws if it is invalid or empty. */
export function parseKeySet(text: string): KeySet {
  const { keys } = JSON.parse(text) as { readonly keys?: unknown };
  if (!Array.isArray(keys) || keys.length === 0) throw new Error('it is no set of keys (JWKS)');
  return createLocalJWKSet({ keys });
}
