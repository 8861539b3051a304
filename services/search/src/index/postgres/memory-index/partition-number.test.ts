import { expect, test } from 'vitest';
import { dayOfPartition, partitionNumber } from './partition-number.ts';

test('a month has a number and a day; the future, undated rows and no month have no day', () => {
  expect(partitionNumber('2026-03-01')).toBe(20_260_301);
  const numbers = ['2026-03-01', 'infinity', '-infinity'].map(partitionNumber);
  const days = [...numbers, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map(dayOfPartition);
  expect(days).toEqual(['2026-03-01', '', '', '', '']);
});
