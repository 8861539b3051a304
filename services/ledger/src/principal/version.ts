import { hash } from 'node:crypto';
import type { Peppers } from '../credential/pepper.ts';
import type { StoredVersion } from '../db/principal-change.ts';
import type { SigningKeys } from './signing-keys.ts';

export interface AuthenticationKeys {
  readonly peppers: Peppers;
  readonly signingKeys: SigningKeys;
}

/** The names of the keys count too: a process without a pepper answers differently. */
export function versionOf(
  { epoch, version }: StoredVersion,
  { peppers, signingKeys }: AuthenticationKeys,
): StoredVersion {
  const names = [peppers, signingKeys].map((keys) => keys.map(({ name }) => name));
  return { epoch: `${epoch}.${hash('sha256', JSON.stringify(names)).slice(0, 16)}`, version };
}
