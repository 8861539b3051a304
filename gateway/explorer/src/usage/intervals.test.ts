import { expect, test } from 'vitest';
import { intervalsOf } from './intervals.ts';
import { readRateLimits } from './rate-limit.ts';

const POLICY = '"window";q=60;w=18000, "week";q=500;w=604800';
const report = (used: number, limits: { request: number } = { request: 1500 }) => ({
  usage: { request_units: used, weekly_request_units: used, delivered_units: 30, weekly_delivered_units: 30 },
  limits: {
    request_units: limits.request,
    weekly_request_units: 500,
    delivered_units: 15_000,
    weekly_delivered_units: 5_000,
  },
  reservations: { request_units: 1, delivered_units: 10 },
});

test('the headers of an answer say limit, rest and reset of window and week', () => {
  const rates = readRateLimits(POLICY, '"window";r=52;t=17000, "week";r=490;t=600000');
  expect(rates).toEqual({
    window: { limit: 60, left: 52, resetSeconds: 17_000, lengthSeconds: 18_000 },
    week: { limit: 500, left: 490, resetSeconds: 600_000, lengthSeconds: 604_800 },
  });
  expect(readRateLimits(null, null)).toBeUndefined();
  expect(readRateLimits('"other";q=1;w=1', '"other";r=1;t=1')).toBeUndefined();
});

test('used, held and left of every interval make its limit', () => {
  const rates = readRateLimits(POLICY, '"window";r=52;t=17000, "week";r=490;t=600000');
  const intervals = intervalsOf(report(9), rates);
  for (const { used, held, left, limit } of intervals) expect(used + held + left).toBe(limit);
  expect(intervals.map(({ name, unit, used }) => [name, unit, used])).toEqual([
    ['window', 'request', 7],
    ['week', 'request', 9],
    ['period', 'request', 9],
    ['week', 'delivered', 30],
    ['period', 'delivered', 30],
  ]);
});

test('where the period leaves less than window and week, they say so', () => {
  const rates = readRateLimits(POLICY, '"window";r=10;t=17000, "week";r=10;t=600000');
  const [window, week, period] = intervalsOf(report(9, { request: 20 }), rates);
  expect([window, week, period].map((one) => [one?.left, one?.isCapped])).toEqual([
    [10, true],
    [10, true],
    [10, false],
  ]);
});

test('without headers the window is left out and the rest is shown', () => {
  expect(intervalsOf(report(9), undefined).map(({ name }) => name)).toEqual(['week', 'period', 'week', 'period']);
});
