/** Largest message between services, either way, in bytes. */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/** Largest request of a method about which nothing else is said, in bytes. */
export const MAX_REQUEST_BYTES = 1024 * 1024;

/** Service type name -> method name, or `*` for the rest of the service -> its largest request message in bytes. */
export type RequestSizes = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** The largest request message of a method, in bytes. */
export function largestRequest(sizes: RequestSizes, service: string, method: string): number {
  return sizes[service]?.[method] ?? sizes[service]?.['*'] ?? MAX_REQUEST_BYTES;
}

/** Most bytes of a number, a boolean or an enum value with its tag: a varint of ten bytes. */
const MAX_NUMBER_BYTES = 12;
/** Most bytes of the tag and the length of a string or a message. */
const MAX_PREFIX_BYTES = 7;

/**
 * An upper bound of the bytes that a message takes on the wire, without encoding it: strings are measured, numbers count as the longest.
 * Takes a message or what one is made from.
 */
export function maxBytesOf(value: unknown): number {
  if (typeof value === 'string') return MAX_PREFIX_BYTES + Buffer.byteLength(value);
  if (value instanceof Uint8Array) return MAX_PREFIX_BYTES + value.byteLength;
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + maxBytesOf(one), 0);
  if (typeof value !== 'object' || value === null) return MAX_NUMBER_BYTES;
  let sum = MAX_PREFIX_BYTES;
  for (const name in value) if (name !== '$typeName') sum += maxBytesOf(value[name as keyof typeof value]);
  return sum;
}
