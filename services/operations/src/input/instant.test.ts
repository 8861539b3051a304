import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instantToTimestamp, toInstant } from './instant.ts';

test.each([
  ['2026-02-28T12:00:00Z', '2026-02-28T12:00:00Z'],
  ['2024-02-29t23:59:59.1200z', '2024-02-29T23:59:59.12Z'],
  ['2026-01-01T00:30:00+01:00', '2025-12-31T23:30:00Z'],
  ['2026-01-01T00:30:00.123456789-11:30', '2026-01-01T12:00:00.123456Z'],
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
  ['2026-01-01T00:00:00-00:00', '2026-01-01T00:00:00Z'],
])('the timestamp %s is the instant %s', (text, instant) => {
  expect(toInstant(text)).toBe(instant);
});

test.each([
  '2026-02-30T00:00:00Z',
  '2025-02-29T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-00-10T00:00:00Z',
  '2026-01-00T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T00:60:00Z',
  '2026-01-01T12:00:60Z',
  '2026-01-01T00:00:00',
  '2026-01-01',
  '2026-01-01 00:00:00Z',
  '2026-01-01T00:00Z',
  '2026-01-01T00:00:00+24:00',
  '2026-01-01T00:00:00+0100',
  '2026-01-01T00:00:00.Z',
  ' 2026-01-01T00:00:00Z',
  '0001-01-01T00:00:00+01:00',
  '10000-01-01T00:00:00Z',
  '1767225600',
  '',
])('%j is no timestamp', (text) => {
  expect(toInstant(text)).toBeUndefined();
});

test('every instant goes over the wire as it is', () => {
  expect(instantToTimestamp('2026-01-01T00:00:00.12Z')).toMatchObject({ seconds: 1767225600n, nanos: 120_000_000 });
  expect(instantToTimestamp('0001-01-01T00:00:00Z').seconds).toBe(-62135596800n);
  fc.assert(
    fc.property(fc.date({ min: new Date('0002-01-01'), max: new Date('9999-01-01'), noInvalidDate: true }), (date) => {
      const instant = toInstant(date.toISOString()) ?? '';
      const { seconds, nanos } = instantToTimestamp(instant);
      expect(Number(seconds) * 1000 + nanos / 1_000_000).toBe(date.getTime());
    }),
  );
});
