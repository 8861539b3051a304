import { createLocalJWKSet, type JWTVerifyGetKey } from 'jose';

export type KeySet = JWTVerifyGetKey;

export interface IssuerKeys extends AsyncDisposable {
  readonly current: KeySet | undefined;
  /** Never rejects. */
  renew(): Promise<KeySet | undefined>;
}

/** RFC 7517 §5; throws if it is invalid or empty. */
export function parseKeySet(text: string): KeySet {
  const { keys } = JSON.parse(text) as { readonly keys?: unknown };
  if (!Array.isArray(keys) || keys.length === 0) throw new Error('it is no set of keys (JWKS)');
  return createLocalJWKSet({ keys });
}
