import { FailureCode, fail, failure } from '@ces/chassis/rpc/failure';
import { Code, ConnectError } from '@connectrpc/connect';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../test-support/gateway.ts';
import { answerOf, type Outcome } from '../test-support/peers.ts';

let next: () => Outcome;
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({
    ledger: {
      getAllowance: () => ({
        allowance: {
          windowSeconds: 18_000n,
          windowLimit: 60n,
          windowResetSeconds: 90n,
          weeklyLimit: 500n,
          weeklyRemaining: 400n,
        },
      }),
    },
    operations: { submitCompanySearch: () => ({ answer: answerOf(next()) }) },
  });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

const search = () =>
  gateway.call('/api/companies/search', { method: 'POST', requestKey: 'k', json: { query: 'bids' } });

test.each([
  [FailureCode.PLANNING_UNAVAILABLE, 'planning_unavailable'],
  [FailureCode.SEARCH_FAILED, 'search_failed'],
  [FailureCode.USAGE_EXPIRED, 'usage_expired'],
])(
  'a stored failure %s is 422 with usage, zeros and the present allowance, never with retry_at',
  async (code, name) => {
    next = () => ({ case: 'failed', value: failure(code, 'Stored.', { retryAt: new Date() }) });
    const response = await search();
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({
      error: { code: name, message: 'Stored.' },
      usage: expect.objectContaining({
        status: 'failed',
        request_units: 0,
        delivered_units: 0,
        fresh_evidence_units: 0,
      }),
      request_allowance: { window_seconds: 18_000, window_remaining: 59, weekly_remaining: 499 },
    });
  },
);

test.each([
  [FailureCode.INVALID_API_KEY, 401, 'invalid_api_key'],
  [FailureCode.SUBSCRIPTION_REQUIRED, 402, 'subscription_required'],
  [FailureCode.USAGE_NOT_FOUND, 404, 'usage_not_found'],
  [FailureCode.INVALID_SEARCH, 422, 'invalid_search'],
  [FailureCode.INVALID_REQUEST, 422, 'invalid_request'],
  [FailureCode.IDEMPOTENCY_KEY_REQUIRED, 422, 'idempotency_key_required'],
  [FailureCode.IDEMPOTENCY_CONFLICT, 422, 'idempotency_conflict'],
  [FailureCode.INVALID_CURSOR, 422, 'invalid_cursor'],
  [FailureCode.RATE_LIMITED, 429, 'rate_limited'],
  [FailureCode.SERVICE_UNAVAILABLE, 503, 'service_unavailable'],
  [FailureCode.CALLER_NOT_ALLOWED, 500, 'internal_error'],
])('a refusal with failure %s is %i %s, without usage', async (code, status, name) => {
  next = () => {
    throw fail(code, 'Refused.');
  };
  const response = await search();
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ error: { code: name, message: expect.any(String) } });
  expect(response.headers.get('retry-after')).toBe(status === 503 ? '2' : null);
  expect(response.headers.get('usage-id')).toBeNull();
});

test('a reached limit carries retry_at, retry_after_seconds, Retry-After and what is left', async () => {
  const retryAt = new Date('2026-03-04T06:00:00Z');
  next = () => {
    throw fail(FailureCode.REQUEST_LIMIT_REACHED, 'Used up.', { retryAt, retryAfterSeconds: 90 });
  };
  const response = await search();
  expect(response.status).toBe(429);
  expect(response.headers.get('retry-after')).toBe('90');
  expect(response.headers.get('ratelimit')).toBe('"window";r=0;t=90, "week";r=400;t=0');
  expect(await response.json()).toEqual({
    error: {
      code: 'request_limit_reached',
      message: 'Used up.',
      retry_at: '2026-03-04T06:00:00.000Z',
      retry_after_seconds: 90,
    },
  });
});

test('the status never follows from a Connect code, and a fault shows nothing of itself', async () => {
  next = () => {
    throw new ConnectError('select * from secret', Code.ResourceExhausted);
  };
  const response = await search();
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain('secret');
});
