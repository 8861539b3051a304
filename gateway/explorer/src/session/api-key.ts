import { createName, type HandedKey } from './hand-over.ts';

const STORED_AS = 'ces-api-key';
const FAMILY_STORED_AS = 'ces-key-family';

/** The API key is only in sessionStorage, which ends with the tab; never in a URL or a cookie. */
export function readApiKey(): HandedKey | undefined {
  const apiKey = sessionStorage.getItem(STORED_AS);
  if (apiKey === null) return undefined;
  return { apiKey, family: sessionStorage.getItem(FAMILY_STORED_AS) ?? createName() };
}

export function keepApiKey({ apiKey, family }: HandedKey): void {
  sessionStorage.setItem(STORED_AS, apiKey);
  sessionStorage.setItem(FAMILY_STORED_AS, family);
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
