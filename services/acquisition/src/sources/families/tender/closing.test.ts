import { expect, test } from 'vitest';
import { earlier, findClosing, ifPlausible } from './closing.ts';

const OTTAWA = 'America/Toronto';

test.each([
  ['2026-07-28T14:00:00', '2026-07-28T18:00:00Z'],
  ['2026-12-28T14:00:00', '2026-12-28T19:00:00Z'],
  ['2026-07-28T14:00:00-07:00', '2026-07-28T21:00:00Z'],
  ['2014-04-15 14:00 Newfoundland Daylight Time (NDT)', '2014-04-15T16:30:00Z'],
  ['2014-06-02 14:00 Central European Summer Time (CEST)', '2014-06-02T12:00:00Z'],
  ['2026-11-30', '2026-12-01T05:00:00Z'],
  ['2026-07-31', '2026-08-01T04:00:00Z'],
])('%s in Ottawa is %s', (text, instant) => {
  expect(findClosing(text, OTTAWA)).toEqual({ at: new Date(instant), day: text.slice(0, 10) });
});

test('a time in a zone that is not known lasts its day', () => {
  expect(findClosing('2014-04-15 14:00 Chamorro Time (ChST)', OTTAWA)?.at).toEqual(new Date('2014-04-16T04:00:00Z'));
});

test.each([undefined, '', 'soon', '15/04/2014', '2014-13-45', '1970-01-01', '9999-12-31T23:59:59Z'])(
  '%s is no closing date',
  (text) => {
    expect(findClosing(text, OTTAWA)).toBeUndefined();
  },
);

test('of two closings the earlier one counts', () => {
  const one = findClosing('2026-11-30', OTTAWA);
  const other = findClosing('2026-11-29', OTTAWA);
  expect(earlier(one, other)).toBe(other);
  expect(earlier(other, one)).toBe(other);
  expect(earlier(undefined, one)).toBe(one);
  expect(earlier(undefined, undefined)).toBeUndefined();
});

test('a closing from before the notice, or decades after it, is ignored', () => {
  const published = new Date('2026-02-03T00:00:00Z');
  const closes = (day: string) => ifPlausible(findClosing(day, OTTAWA), published)?.day;
  expect(['2026-02-03', '2026-03-01', '2030-12-31'].map(closes)).toEqual(['2026-02-03', '2026-03-01', '2030-12-31']);
  expect(['2025-12-18T12:00:00-05:00', '2065-04-27', '2032-01-01'].map(closes)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
