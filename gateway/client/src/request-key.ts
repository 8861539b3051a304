const MAX_CODE_POINTS = 1024;
/** A search has at most 1,000 companies, so at most as many pages. */
const MOST_PAGES = 1_000;

export function createRequestKey(): string {
  // Insecure contexts have no randomUUID.
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Depends only on the first key, so a second run is not charged again. */
export function pageKey(firstKey: string, page: number): string {
  return page === 1 ? firstKey : `${firstKey}/${page}`;
}

/** Throws TypeError when the first key is too long for the suffix of later pages. */
export function checkFirstKey(firstKey: string): void {
  parseRequestKey(pageKey(firstKey, MOST_PAGES));
}

/** As the service does. Throws TypeError for a key that a header cannot carry. */
export function parseRequestKey(text: string): string {
  const key = text.trim();
  if (key === '' || [...key].length > MAX_CODE_POINTS || /[\p{Cc}\p{Cs}]/u.test(key))
    throw new TypeError(
      `requestKey must have 1 to ${MAX_CODE_POINTS} characters, none of them a control character or half of one.`,
    );
  return key;
}

export function requestKeyHeader(key: string): string {
  return Array.from(new TextEncoder().encode(key), (byte) => String.fromCharCode(byte)).join('');
}
