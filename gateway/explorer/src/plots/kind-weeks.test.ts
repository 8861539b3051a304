import { expect, test } from 'vitest';
import { countByKindAndWeek, mondayOf } from './kind-weeks.ts';

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
