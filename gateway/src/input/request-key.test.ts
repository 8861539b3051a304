import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { requestKeyOf } from './request-key.ts';

const read = (...values: string[]) =>
  requestKeyOf({ headersDistinct: { 'idempotency-key': values.map(asHeader) } } as unknown as IncomingMessage);

/** Node decodes header bytes as Latin-1. */
const asHeader = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

test('a key is UTF-8, outer white space is trimmed', () => {
  expect(read('  clé – 鍵 ')).toBe('clé – 鍵');
});

test('1024 characters are a key, counted as code points', () => {
  expect(read('𝒌'.repeat(1024))).toHaveLength(2048);
  expect(() => read('𝒌'.repeat(1025))).toThrow(expect.objectContaining({ code: 'invalid_search' }));
});

test('a missing or blank key is idempotency_key_required', () => {
  expect(() => read()).toThrow(expect.objectContaining({ code: 'idempotency_key_required', status: 422 }));
  expect(() => read(' \t ')).toThrow(expect.objectContaining({ code: 'idempotency_key_required' }));
});

test('a key given twice, with control characters or not in UTF-8 is invalid_search', () => {
  const invalid = expect.objectContaining({ code: 'invalid_search', status: 422 });
  expect(() => read('a', 'a')).toThrow(invalid);
  expect(() => read('a\u0001b')).toThrow(invalid);
  expect(() => read('a\u0085b')).toThrow(invalid);
  const latin1 = { headersDistinct: { 'idempotency-key': ['cl\u00e9'] } } as unknown as IncomingMessage;
  expect(() => requestKeyOf(latin1)).toThrow(invalid);
});
