const STORED_AS = 'ces-api-key';

/** The API key is only in sessionStorage, which ends with the tab; never in a URL or a cookie. */
export function readApiKey(): string | undefined {
  return sessionStorage.getItem(STORED_AS) ?? undefined;
}

export function keepApiKey(apiKey: string): void {
  sessionStorage.setItem(STORED_AS, apiKey);
}

/** Clears all data of the tab, because stored searches belong to the account of the key. */
export function forgetApiKey(): void {
  sessionStorage.clear();
}

export type AccountKind = 'test' | 'live' | 'unknown';

export function accountKindOf(apiKey: string): AccountKind {
  if (apiKey.startsWith('ces_test_')) return 'test';
  return apiKey.startsWith('ces_live_') ? 'live' : 'unknown';
}
