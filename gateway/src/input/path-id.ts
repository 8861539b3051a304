import { InvalidInput } from '../errors/public-error.ts';

/** No row has it, and it is a number in JSON. */
const TOO_LARGE = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * An id as it stands in a path or a query: plain decimal digits without sign or leading zero, at least 1.
 * One too large for any row becomes 2^53 - 1, which an answer can name as it is.
 */
export function parseId(text: string): bigint {
  if (!/^[1-9][0-9]*$/.test(text))
    throw new InvalidInput('An id is a whole number of at least 1, in plain decimal digits.');
  const id = text.length > 16 ? TOO_LARGE : BigInt(text);
  return id > TOO_LARGE ? TOO_LARGE : id;
}
