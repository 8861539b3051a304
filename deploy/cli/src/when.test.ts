import { expect, test } from 'vitest';
import { whenArgument } from './when.ts';

const NOW = Date.parse('2026-11-30T15:42:31.500Z');

test.each([
  ['30d', '2026-10-31T00:00:00.000Z'],
  ['1d', '2026-11-29T00:00:00.000Z'],
  ['2w', '2026-11-16T00:00:00.000Z'],
  ['12h', '2026-11-30T03:00:00.000Z'],
  ['45m', '2026-11-30T14:57:00.000Z'],
  ['2026-11-20T00:00:00.123456+02:00', '2026-11-20T00:00:00.123456+02:00'],
])('%s is %s', (text, instant) => {
  expect(whenArgument(text)(NOW)).toBe(instant);
});

test.each(['30', '0d', '30D', '-1d', '1.5d', 'yesterday', '2026-11-20', '999999d', ''])('%j is refused', (text) => {
  expect(() => whenArgument(text)).toThrow('Write it as 30d, 12h or 2026-11-20T00:00:00Z.');
});
