import { InvalidInput } from '../output/public-error.ts';

const MAX_INT64 = 2n ** 63n - 1n;

/**
 * An id as it stands in a path or a query: plain decimal digits without sign or leading zero, at least 1.
 * One too large for any row becomes the largest there could be, which no row has.
 */
export function parseId(text: string): bigint {
  if (!/^[1-9][0-9]*$/.test(text))
    throw new InvalidInput('An id is a whole number of at least 1, in plain decimal digits.');
  const id = text.length > 19 ? MAX_INT64 : BigInt(text);
  return id > MAX_INT64 ? MAX_INT64 : id;
}
