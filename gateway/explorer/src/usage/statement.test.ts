import type { StatementEntry } from '@ces/client';
import { expect, test } from 'vitest';
import { compare, sumOf } from './statement.ts';
import { actionsOf, unitsByDay } from './units-by-day.ts';

const entry = (settledAt: string, units: readonly [number, number, number], action: string | null = 'company_search') =>
  ({
    usage_id: 1,
    request_key: 'k',
    action,
    settled_at: settledAt,
    kind: units[0] < 0 ? 'reversal' : 'settlement',
    reason: null,
    request_units: units[0],
    delivered_units: units[1],
    fresh_evidence_units: units[2],
  }) satisfies StatementEntry;

const ENTRIES = [
  entry('2026-11-01T23:59:59.999Z', [1, 3, 1]),
  entry('2026-11-02T00:00:00.000Z', [1, 2, 0], 'company_lookup'),
  entry('2026-11-02T10:00:00.000Z', [-1, -2, 0], 'company_lookup'),
  entry('2026-11-04T10:00:00.000Z', [1, 0, 0], null),
];

test('a reversal takes away what its settlement added', () => {
  expect(sumOf(ENTRIES)).toEqual({ request_units: 2, delivered_units: 3, fresh_evidence_units: 1 });
});

test('a statement agrees only when entries, totals and report are the same number', () => {
  const totals = sumOf(ENTRIES);
  const agree = (report?: typeof totals) => compare(ENTRIES, totals, report).map(({ agrees }) => agrees);
  expect(agree(totals)).toEqual([true, true, true]);
  expect(agree()).toEqual([true, true, true]);
  expect(agree({ ...totals, delivered_units: 4 })).toEqual([true, false, true]);
  expect(compare(ENTRIES.slice(1), totals, totals).map(({ agrees }) => agrees)).toEqual([false, false, false]);
});

test('units are counted on their day in UTC, days without units stay, and no unit is lost', () => {
  const days = unitsByDay(ENTRIES, 'request_units', '2026-11-01T08:00:00Z', '2026-11-05T00:00:00Z');
  expect(days).toEqual([
    { day: '2026-11-01', byAction: { company_search: 1 }, total: 1 },
    { day: '2026-11-02', byAction: { company_lookup: 0 }, total: 0 },
    { day: '2026-11-03', byAction: {}, total: 0 },
    { day: '2026-11-04', byAction: { unknown: 1 }, total: 1 },
  ]);
  expect(days.reduce((sum, { total }) => sum + total, 0)).toBe(sumOf(ENTRIES).request_units);
  expect(actionsOf(days)).toEqual(['company_search', 'company_lookup', 'unknown']);
});
