import { expect, test } from 'vitest';
import { readingShare } from './reading-share.ts';

const NOW = new Date('2026-11-25T12:00:00Z');

test.each([
  ['2026-11-25T12:00:00Z', 1],
  ['2026-11-24T12:00:00Z', 6 / 7],
  ['2026-11-18T12:00:00Z', 0],
  ['2026-10-01T00:00:00Z', 0],
  ['2026-11-26T00:00:00Z', 1],
])('a source that was read to its end at %s has been seen for %d of the last week', (freshAt, share) => {
  expect(readingShare(new Date(freshAt), NOW)).toBeCloseTo(share, 9);
});

test('one that never was has not been seen', () => {
  expect(readingShare(undefined, NOW)).toBe(0);
});
