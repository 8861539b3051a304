import { expect, test } from 'vitest';
import type { Attempt } from '../../load/attempt.ts';
import { absenceOf, refusedCalls } from './refused.ts';

function call(sentAt: number, receivedAt: number, status: number, changes: Partial<Attempt> = {}): Attempt {
  const outcome = { kind: 'answer', status, body: {}, retryAfter: status === 503 } as const;
  const who = { surface: 'rest', accountId: 1n, action: 'company_search', key: `k${sentAt}`, input: '{}' } as const;
  return { sentAt, receivedAt, ...who, outcome, ...changes };
}

test('writes are away from the last that succeeded until the next, and a refusal lasts until it is answered', () => {
  const calls = [call(0, 900, 200), call(1_000, 4_000, 503), call(2_000, 9_000, 202), call(10_000, 10_500, 200)];
  expect(absenceOf(calls, 1_000)).toEqual({ firstMs: 8_000, longestMs: 8_100, lastRefusalMs: 3_000 });
});

test('writes that never come back are away for ever', () => {
  expect(absenceOf([call(0, 900, 200), call(2_000, 3_000, 503)], 1_000).firstMs).toBe(Number.POSITIVE_INFINITY);
});

test('a poll is no write, and only what says when to come again may be sent again', () => {
  const poll = call(2_000, 2_100, 200);
  delete (poll as { key?: string }).key;
  const final = call(3_000, 3_100, 503, { outcome: { kind: 'answer', status: 503, body: {}, retryAfter: false } });
  expect(absenceOf([poll], 1_000).firstMs).toBe(Number.POSITIVE_INFINITY);
  expect(refusedCalls([final, call(4_000, 4_100, 503)])).toHaveLength(1);
});
