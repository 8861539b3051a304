export const KINDS_END = 31;
export const COUNTRIES_END = 1_000;

const KIND_BITS = 5;
const COUNTRY_BITS = 10;

export const CODES_END = 2 ** 16;
export const DEAD = CODES_END - 1;

/** Packs kind, country and an expiry flag into 16 bits for filters and factors. */
export function observationCode(kind: number, country: number, isDeliveredUntil: boolean): number {
  if (!(kind >= 0 && kind < KINDS_END && country >= 0 && country < COUNTRIES_END))
    throw new RangeError(`an observation code has no room for kind ${kind} and country ${country}`);
  return kind | (country << KIND_BITS) | (isDeliveredUntil ? 1 << (KIND_BITS + COUNTRY_BITS) : 0);
}

export function kindIn(code: number): number {
  return code & ((1 << KIND_BITS) - 1);
}

export function countryIn(code: number): number {
  return (code >> KIND_BITS) & ((1 << COUNTRY_BITS) - 1);
}

export function isDeliveredUntilIn(code: number): boolean {
  return code >> (KIND_BITS + COUNTRY_BITS) === 1;
}
