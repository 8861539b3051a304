/** Largest message between services, either way, in bytes. */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/** Largest request of a method about which nothing else is said, in bytes. */
const MAX_REQUEST_BYTES = 1024 * 1024;

/** Service type name -> method name, or `*` for the rest of the service -> its largest request message in bytes. */
export type RequestSizes = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** The largest request message of a method, in bytes. */
export function largestRequest(sizes: RequestSizes, service: string, method: string): number {
  return sizes[service]?.[method] ?? sizes[service]?.['*'] ?? MAX_REQUEST_BYTES;
}
