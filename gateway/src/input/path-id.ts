import { InvalidInput } from '../errors/public-error.ts';

const TOO_LARGE = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Parses an id of a path or of the query parameter `name`: plain decimal digits, no sign, no
 * leading zero, at least 1. An id beyond 2^53 - 1 becomes 2^53 - 1, so that answers can repeat it
 * as a JSON number. Throws InvalidInput.
 */
export function parseId(text: string, name = 'id'): bigint {
  if (!/^[1-9][0-9]*$/.test(text))
    throw new InvalidInput(`\`${name}\` must be a whole number of at least 1, in plain decimal digits.`);
  const id = text.length > 16 ? TOO_LARGE : BigInt(text);
  return id > TOO_LARGE ? TOO_LARGE : id;
}
