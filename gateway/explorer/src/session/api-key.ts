const STORED_AS = 'ces-api-key';

/** The API key of this tab. It is in no address, cookie or storage that outlives the tab. */
export function readApiKey(): string | undefined {
  return sessionStorage.getItem(STORED_AS) ?? undefined;
}

export function keepApiKey(apiKey: string): void {
  sessionStorage.setItem(STORED_AS, apiKey);
}

/** Everything that this tab kept under the key goes with it: searches of another account would be strangers here. */
export function forgetApiKey(): void {
  sessionStorage.clear();
}

export type AccountKind = 'test' | 'live' | 'unknown';

export function accountKindOf(apiKey: string): AccountKind {
  if (apiKey.startsWith('ces_test_')) return 'test';
  return apiKey.startsWith('ces_live_') ? 'live' : 'unknown';
}
