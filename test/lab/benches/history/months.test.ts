import { expect, test } from 'vitest';
import { lastDay, monthsBefore } from './months.ts';

const NOW = new Date('2026-11-22T12:00:00Z');
const months = monthsBefore(NOW, { operations: 10_000, entries: 40_000 });

test('operations of the last 400 days are kept, postings go back two years', () => {
  const sum = (isKept: boolean) =>
    months.filter((month) => month.isKept === isKept).reduce((total, { count }) => total + count, 0);
  expect(months[0]?.from.toISOString()).toBe('2024-11-01T00:00:00.000Z');
  expect(months.find(({ isKept }) => isKept)?.from.toISOString()).toBe('2025-10-01T00:00:00.000Z');
  expect(Math.abs(sum(true) - 10_000)).toBeLessThan(20);
  expect(Math.abs(sum(false) - 30_000)).toBeLessThan(20);
});

test('every month has numbers of its own, and the last day goes on in its month', () => {
  const day = lastDay(NOW, months, 500);
  const stretches = [...months, day];
  for (const [index, { firstId, count, to }] of stretches.entries()) {
    const next = stretches[index + 1];
    if (!next) continue;
    expect(firstId + BigInt(count)).toBeLessThanOrEqual(next.firstId);
    expect(to.getTime()).toBeLessThanOrEqual(next.from.getTime());
  }
  expect(day.from.toISOString()).toBe('2026-11-21T12:00:00.000Z');
  expect(day.firstId >> 24n).toBe(
    months.at(-1)?.firstId === undefined ? undefined : (months.at(-1)?.firstId ?? 0n) >> 24n,
  );
});

test('on the first of a month the last day begins a month of its own', () => {
  const now = new Date('2026-12-01T12:00:00Z');
  const until = monthsBefore(now, { operations: 1_000, entries: 1_000 });
  expect(until.at(-1)?.to.toISOString()).toBe('2026-11-30T12:00:00.000Z');
  expect(lastDay(now, until, 10).firstId).toBeGreaterThan(until.at(-1)?.firstId ?? 0n);
});
