import { hash } from 'node:crypto';
import type { Peppers } from '../credential/pepper.ts';
import type { StoredVersion } from '../db/principal-change.ts';
import type { SigningKey } from './signing-keys.ts';

/** By what a process answers beside its database. */
export interface AnsweringKeys {
  readonly peppers: Peppers;
  readonly signingKeys: readonly SigningKey[];
}

/** A version as it is told: the names of keys are in its epoch, since a process without a pepper answers otherwise. */
export function versionOf({ epoch, version }: StoredVersion, { peppers, signingKeys }: AnsweringKeys): StoredVersion {
  const names = [peppers, signingKeys].map((keys) => keys.map(({ name }) => name));
  return { epoch: `${epoch}.${hash('sha256', JSON.stringify(names)).slice(0, 16)}`, version };
}
