import { expect, test } from 'vitest';
import { LastCalls } from './last-calls.ts';

test('an account is the only active one unless another one has called within a second', () => {
  const calls = new LastCalls();
  expect(calls.isOnlyActiveAccount(1n, 0)).toBe(true);
  calls.note(1n, 0);
  calls.note(1n, 10);
  expect([calls.isOnlyActiveAccount(1n, 10), calls.isOnlyActiveAccount(2n, 10)]).toEqual([true, false]);
  calls.note(2n, 20);
  calls.note(1n, 500);
  expect([calls.isOnlyActiveAccount(1n, 1_019), calls.isOnlyActiveAccount(2n, 1_019)]).toEqual([false, false]);
  expect([
    calls.isOnlyActiveAccount(1n, 1_020),
    calls.isOnlyActiveAccount(2n, 1_499),
    calls.isOnlyActiveAccount(2n, 1_500),
  ]).toEqual([true, false, true]);
});
