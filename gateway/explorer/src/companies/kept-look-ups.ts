const STORED_AS = 'ces-company-look-ups';
const MAX_KEPT = 50;

/** Keys by company id, so that a reload pays for none again. */
export function readKeptKey(id: string): string | undefined {
  return parseKeys(sessionStorage.getItem(STORED_AS)).get(id);
}

export function keepKey(id: string, requestKey: string): void {
  const keys = [...parseKeys(sessionStorage.getItem(STORED_AS)), [id, requestKey] as const];
  sessionStorage.setItem(STORED_AS, JSON.stringify(Object.fromEntries(keys.slice(-MAX_KEPT))));
}

function parseKeys(stored: string | null): ReadonlyMap<string, string> {
  try {
    const value: unknown = JSON.parse(stored ?? '{}');
    if (typeof value !== 'object' || value === null) return new Map();
    return new Map(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    return new Map();
  }
}
