export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/** Default limit on a request, in bytes. */
export const MAX_REQUEST_BYTES = 1024 * 1024;

/** Service type name -> method name or `*` -> bytes. */
export type RequestSizes = Readonly<Record<string, Readonly<Record<string, number>>>>;

export function largestRequest(sizes: RequestSizes, service: string, method: string): number {
  return sizes[service]?.[method] ?? sizes[service]?.['*'] ?? MAX_REQUEST_BYTES;
}

/** A ten-byte varint and its tag. */
const MAX_NUMBER_BYTES = 12;
const MAX_PREFIX_BYTES = 7;

/** Upper bound, without encoding: measures strings, and counts numbers as the longest varint. */
export function maxBytesOf(value: unknown): number {
  if (typeof value === 'string') return MAX_PREFIX_BYTES + Buffer.byteLength(value);
  if (value instanceof Uint8Array) return MAX_PREFIX_BYTES + value.byteLength;
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + maxBytesOf(one), 0);
  if (typeof value !== 'object' || value === null) return MAX_NUMBER_BYTES;
  let sum = MAX_PREFIX_BYTES;
  for (const name in value) if (name !== '$typeName') sum += maxBytesOf(value[name as keyof typeof value]);
  return sum;
}
