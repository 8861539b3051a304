import { expect, test } from 'vitest';
import { countByKindAndWeek, mondayOf, ticksOf } from './kind-weeks.ts';

test('a week begins on Monday at midnight UTC', () => {
  expect(mondayOf(new Date('2026-11-22T23:59:59Z')).toISOString()).toBe('2026-11-16T00:00:00.000Z');
  expect(mondayOf(new Date('2026-11-23T00:00:00Z')).toISOString()).toBe('2026-11-23T00:00:00.000Z');
});

test('observations are counted by kind and week, undated ones in none', () => {
  const tender = { kind: 'procurement_request', demand_class: 'explicit_request' } as const;
  const hire = { kind: 'job_posting', demand_class: 'proxy' } as const;
  const profile = { kind: 'company_profile', demand_class: 'structural', occurred_at: null } as const;
  const counts = countByKindAndWeek([
    { ...hire, occurred_at: '2026-11-24T10:00:00Z' },
    { ...tender, occurred_at: '2026-11-25T10:00:00Z' },
    { ...tender, occurred_at: '2026-11-23T10:00:00Z' },
    { ...tender, occurred_at: '2026-11-22T10:00:00Z' },
    profile,
  ]);
  expect(counts.map(({ kind, week, count }) => [kind, week.toISOString().slice(0, 10), count])).toEqual([
    ['procurement_request', '2026-11-16', 1],
    ['procurement_request', '2026-11-23', 2],
    ['job_posting', '2026-11-23', 1],
  ]);
});

test('ticks are Mondays, evenly apart and no more than there is room for', () => {
  const at = (day: string) => ({ kind: 'job_posting', demandClass: 'proxy', week: new Date(day), count: 1 }) as const;
  const days = (counts: Parameters<typeof ticksOf>[0], most: number) =>
    ticksOf(counts, most).map((tick) => tick.toISOString().slice(5, 10));
  const fiveWeeks = [at('2026-11-23'), at('2026-10-26')];
  expect(days(fiveWeeks, 5)).toEqual(['10-26', '11-02', '11-09', '11-16', '11-23']);
  expect(days(fiveWeeks, 4)).toEqual(['10-26', '11-09', '11-23']);
  expect(days(fiveWeeks, 0)).toEqual(['10-26']);
  expect(days([at('2026-11-23')], 5)).toEqual(['11-23']);
  expect(days([], 5)).toEqual([]);
});
