import { expect, test } from 'vitest';
import { units } from '../../test-support/test-ledger.ts';
import { admissibleDeliveredUnits, isEverAdmissible, shortfalls } from './admission.ts';
import { allowanceOf, type BalanceSnapshot, withHeld, withSettled } from './balance-snapshot.ts';
import { limitRefusal } from './refusal.ts';

const FRESH: BalanceSnapshot = {
  held: units(0, 0),
  intervals: {
    window: { limit: units(60, 600), settled: units(0, 0), seconds: 18_000n, resetSeconds: 0n },
    week: { limit: units(500, 5_000), settled: units(0, 0), seconds: 604_800n, resetSeconds: 0n },
    period: { limit: units(1_500, 15_000), settled: units(0, 0), seconds: 0n, resetSeconds: 0n },
  },
};

test('a limit may be reached and not exceeded', () => {
  const full = withSettled(FRESH, units(59, 590));
  expect(shortfalls(full, units(1, 10))).toEqual([]);
  expect(shortfalls(full, units(1, 11))).toMatchObject([{ interval: 'window', unit: 'delivered', left: 10n }]);
  expect(shortfalls(full, units(2, 11))).toHaveLength(2);
});

test('held units count like settled ones', () => {
  const held = withHeld(FRESH, units(60, 0));
  expect(shortfalls(held, units(1, 0))).toMatchObject([{ unit: 'request', blockedByHolds: true, mustLeave: -59n }]);
});

test('a request for zero units is not refused for that unit', () => {
  const over = withSettled(FRESH, units(0, 700));
  expect(shortfalls(over, units(1, 0))).toEqual([]);
});

test('the admissible number is what the tightest interval leaves, and none when requests are used up', () => {
  const week = withSettled(FRESH, units(1, 4_500));
  const missing = shortfalls(
    { ...week, intervals: { ...week.intervals, window: FRESH.intervals.window } },
    units(1, 550),
  );
  expect(missing).toMatchObject([{ interval: 'week', left: 500n }]);
  const used = withSettled(FRESH, units(60, 599));
  expect(admissibleDeliveredUnits(used, shortfalls(used, units(1, 5)))).toBe(0n);
  const left = withSettled(FRESH, units(59, 599));
  expect(admissibleDeliveredUnits(left, shortfalls(left, units(1, 5)))).toBe(1n);
});

test('remaining is capped by what the period leaves and never negative', () => {
  const periodUsed = { ...FRESH.intervals.period, settled: units(1_490, 0) };
  const capped = { ...FRESH, intervals: { ...FRESH.intervals, period: periodUsed } };
  expect(allowanceOf(capped)).toMatchObject({ windowRemaining: 10n, weeklyRemaining: 10n });
  expect(allowanceOf(withHeld(capped, units(20, 0)))).toMatchObject({ windowRemaining: 0n, weeklyRemaining: 0n });
});

test('a refusal names the limit that is free last, and when that is', () => {
  const balance = withSettled(FRESH, units(10, 595));
  const missing = shortfalls(balance, units(1, 10));
  expect(isEverAdmissible(missing)).toBe(true);
  const retryAt = new Date('2026-12-01T00:00:01Z');
  const retryTimes = missing.map((shortfall) => ({ shortfall, retryAt, retryAfterSeconds: 12n }));
  expect(limitRefusal(missing, retryTimes, 5n)).toEqual({
    code: 'request_limit_reached',
    message:
      'The rolling window leaves 5 of 600 delivered units and this call may need 10; try again at ' +
      '2026-12-01T00:00:01.000Z.',
    retryAt,
    retryAfterSeconds: 12n,
    admissibleDeliveredUnits: 5n,
  });
});
