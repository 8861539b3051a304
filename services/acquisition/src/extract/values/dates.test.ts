import { expect, test } from 'vitest';
import { findInstant, knownDate } from './dates.ts';

test.each([
  ['2026-01-05', '2026-01-05T00:00:00.000Z'],
  ['2026-01-05 14:00 EST', '2026-01-05T19:00:00.000Z'],
  ['2014-04-15 14:00 Eastern Daylight Time (EDT)', '2014-04-15T18:00:00.000Z'],
  ['01/05/2026', '2026-01-05T00:00:00.000Z'],
])('%s is an instant', (text, instant) => {
  expect(findInstant(text, { formats: ['MM/dd/yyyy'] })?.toISOString()).toBe(instant);
});

test.each([
  '12:30',
  '10:30:00',
  '14:00 EST',
  '12',
  'T09',
  '12-05',
  '23Z',
  '1230Z',
  '123045+0500',
  '05:00+05:00',
  'January 5',
  'Q3 2026',
  '2025-2026',
  '2025-26',
  '2026-02-30',
  '2026-01-05T25:00',
  '0000-00-00',
  '9999-12-31',
  '0001-01-01T00:00:00Z',
  '1900-01-01',
  '1970-01-01T00:00:00+00:00',
  '1969-12-31T19:00:00-05:00',
])('%s names no day of a year', (text) => {
  expect(findInstant(text)).toBeUndefined();
});

test.each([
  '1970-01-01',
  '1900-01-01T00:00:00Z',
  '0001-01-01T00:00:00',
  '0000-00-00',
  '-0001-11-30T00:00:00+00:00',
  '9999-12-31T23:59:59Z',
])('%s is what software writes where it knows no date', (text) => {
  expect(knownDate(text)).toBeUndefined();
});

test('a date and a text that is not a date are kept as they are written', () => {
  expect([knownDate('1970-01-04'), knownDate('soon'), knownDate(undefined)]).toEqual(['1970-01-04', 'soon', undefined]);
});
