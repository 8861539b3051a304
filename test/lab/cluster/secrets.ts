import { secretNames } from '@ces/topology/environment';
import type { Random } from '../../support/random.ts';

/**
 * A secret of 64 hexadecimal digits for every secret name of the services, derived from the seed.
 */
export function secretsOf(random: Random): Readonly<Record<string, string>> {
  const secret = () => Array.from({ length: 64 }, () => random.below(16).toString(16)).join('');
  return Object.fromEntries(secretNames().map((name) => [name, secret()]));
}
