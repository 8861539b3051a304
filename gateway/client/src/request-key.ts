const MAX_CODE_POINTS = 1024;
/** A target is 1,000 companies at most. */
const MOST_PAGES = 1_000;

/** A new idempotency key: a random UUID. */
export function createRequestKey(): string {
  // A page without a secure context has no randomUUID.
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** The idempotency key of a later page, from 2; the same for the same first key, so that a second run pays for nothing again. */
export function pageKey(firstKey: string, page: number): string {
  return page === 1 ? firstKey : `${firstKey}/${page}`;
}

/** Throws TypeError for a first key that leaves no room for those of later pages. */
export function checkFirstKey(firstKey: string): void {
  parseRequestKey(pageKey(firstKey, MOST_PAGES));
}

/** The key as the service reads it, without outer white space; throws TypeError when no header can carry it, as half of a surrogate pair. */
export function parseRequestKey(text: string): string {
  const key = text.trim();
  if (key === '' || [...key].length > MAX_CODE_POINTS || /[\p{Cc}\p{Cs}]/u.test(key))
    throw new TypeError(
      `requestKey must have 1 to ${MAX_CODE_POINTS} characters, none of them a control character or half of one.`,
    );
  return key;
}

/** As a header carries it: its UTF-8, a character for each byte. */
export function requestKeyHeader(key: string): string {
  return Array.from(new TextEncoder().encode(key), (byte) => String.fromCharCode(byte)).join('');
}
