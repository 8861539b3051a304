import { expect, test } from 'vitest';
import { countOutcomes } from './outcomes.ts';
import { splitCalls } from './split-calls.ts';

test('a call has at most twenty inputs, in order, and no input is lost', () => {
  const values = Array.from({ length: 45 }, (_, at) => String(at + 1));
  const calls = splitCalls(values);
  expect(calls.map((call) => call.length)).toEqual([20, 20, 5]);
  expect(calls.flat()).toEqual(values);
  expect(splitCalls([])).toEqual([]);
});

test('outcomes are counted from the best to the worst, without those that did not come', () => {
  const statuses = ['not_found', 'found', 'unavailable', 'found'] as const;
  expect(countOutcomes(statuses.map((status) => ({ status })))).toEqual([
    ['found', 2],
    ['not_found', 1],
    ['unavailable', 1],
  ]);
});
