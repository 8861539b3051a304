import type { EventIdentifier } from '../sources/mapped.ts';

const MAX_LENGTH = 200;

/** A solicitation number as an event identifier; undefined for what buyers write who have none, such as `TBD` or `RFI 1`. */
export function solicitationIdentifier(number: string | undefined): EventIdentifier | undefined {
  const value = number?.trim() ?? '';
  if (value.length > MAX_LENGTH || value.replace(/\D/g, '').length < 3) return undefined;
  return { scheme: 'solicitation', value };
}
