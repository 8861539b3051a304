import { hash } from 'node:crypto';
import type { Peppers } from '../credential/pepper.ts';
import type { StoredVersion } from '../db/principal-change.ts';
import type { SigningKeys } from './signing-keys.ts';

export interface AuthenticationKeys {
  readonly peppers: Peppers;
  readonly signingKeys: SigningKeys;
}

/** The epoch covers the names of the keys, since a process without a pepper answers differently. */
export function versionOf(
  { epoch, version }: StoredVersion,
  { peppers, signingKeys }: AuthenticationKeys,
): StoredVersion {
  const names = [peppers, signingKeys].map((keys) => keys.map(({ name }) => name));
  return { epoch: `${epoch}.${hash('sha256', JSON.stringify(names)).slice(0, 16)}`, version };
}
