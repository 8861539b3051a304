import { InvalidInput } from '../errors/public-error.ts';

const TOO_LARGE = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Decimal digits, no sign or leading zero, at least 1. Larger ids become 2^53 - 1, which JSON can
 * repeat. Throws InvalidInput.
 */
export function parseId(text: string, name = 'id'): bigint {
  if (!/^[1-9][0-9]*$/.test(text))
    throw new InvalidInput(`\`${name}\` must be a whole number of at least 1, in plain decimal digits.`);
  const id = text.length > 16 ? TOO_LARGE : BigInt(text);
  return id > TOO_LARGE ? TOO_LARGE : id;
}
