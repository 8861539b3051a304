import { refuse } from './refuse.ts';

/** NFC, trimmed, inner white space collapsed, case kept; 1..`maxCodePoints` afterwards (decisions.md, Idempotency). */
export function parseQuery(text: string, maxCodePoints: number): string {
  const query = text.normalize('NFC').trim().replace(/\s+/gu, ' ');
  if (query === '') refuse('query is blank: describe what to search for.');
  if (query.includes('\0')) refuse('query contains the character U+0000: leave it out.');
  if ([...query].length > maxCodePoints) refuse(`query is too long: send at most ${maxCodePoints} characters.`);
  return query;
}
