import { expect, test } from 'vitest';
import { ERROR_CODES } from '../../../src/schema/error.ts';
import { adviceFor, messageOf, nextStepAfter } from './advice.ts';

/** Codes that this page cannot cause, because it builds its requests by program. */
const OF_FAULTY_PROGRAMS = new Set([
  'not_found',
  'method_not_allowed',
  'request_timeout',
  'payload_too_large',
  'uri_too_long',
  'unsupported_media_type',
  'idempotency_key_required',
  'headers_too_large',
]);

test('every code that a person can meet comes with what to do', () => {
  const codes = Object.keys(ERROR_CODES).filter((code) => !OF_FAULTY_PROGRAMS.has(code));
  expect(codes.filter((code) => adviceFor(code) === undefined)).toEqual([]);
});

test('a stored failure asks for a new key, a limit for the same', () => {
  expect(nextStepAfter('planning_unavailable')).toBe('new-key');
  expect(nextStepAfter('request_limit_reached')).toBe('same-key');
  expect(nextStepAfter('invalid_search')).toBe('none');
});

test('a wrong key is refused without the syntax of a header, a scope keeps its name', () => {
  const header = 'The credential is missing, revoked or expired: send `Authorization: Bearer <ACCESS_TOKEN>`.';
  expect(messageOf('invalid_api_key', header)).toBe(
    'The service does not accept this key. It is misspelled, revoked or expired.',
  );
  expect(messageOf('invalid_api_key', 'This credential lacks the scope `usage`.')).toBe(
    'This credential lacks the scope usage.',
  );
});
