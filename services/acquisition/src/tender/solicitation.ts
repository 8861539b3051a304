import type { EventIdentifier } from '../sources/mapped.ts';
import type { Country } from '../sources/words.ts';

/**
 * A solicitation number as an event identifier: hyphens, slashes and case differ between publications of one number, and
 * numbers of the two countries' governments are never the same event. Undefined for what many buyers write, such as
 * `TBD`, `RFI` or `14-0004`: it names no single event.
 */
export function solicitationIdentifier(country: Country, number: string): EventIdentifier | undefined {
  const bare = number
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  const digits = bare.replace(/\D/g, '').length;
  if (bare.length < 9 || bare.length > 80 || digits < 4) return undefined;
  return { scheme: 'solicitation', value: `${country}:${bare}` };
}
