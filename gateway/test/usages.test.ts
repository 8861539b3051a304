import { FailureCode, failure } from '@ces/chassis/rpc/failure';
import { Action, Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import type {
  GetUsageStatementRequest,
  ListUsagesRequest,
} from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../test-support/gateway.ts';
import { AT, OTHER_TOKEN, statement } from '../test-support/peers.ts';

let gateway: TestGateway;
const asked: (ListUsagesRequest | GetUsageStatementRequest)[] = [];
const units = { requestUnits: 1n, deliveredUnits: 7n, freshEvidenceUnits: 3n };

beforeAll(async () => {
  gateway = await startGateway(
    {
      operations: {
        listUsages: (request) => {
          asked.push(request);
          const usage = { id: 41n, status: Status.DELIVERED, requestKey: 'k', units };
          const failed = { id: 40n, status: Status.FAILED, requestKey: 'j' };
          return {
            usages: [
              { usage, action: Action.COMPANY_SEARCH, query: 'bids', createdAt: AT, finishedAt: AT },
              {
                ...{ usage: failed, action: Action.DIAGNOSTIC, createdAt: AT, finishedAt: AT },
                failure: failure(FailureCode.SEARCH_FAILED, 'Broke.'),
              },
            ],
            nextCursor: 'next',
            asOf: AT,
          };
        },
        getUsageStatement: (request) => {
          asked.push(request);
          const settledAt = { seconds: 1_772_600_767n, nanos: 89_999_000 };
          const entry = { operationId: 41n, requestKey: 'k', action: Action.COMPANY_LOOKUP, settledAt, units };
          const negative = { requestUnits: -1n, deliveredUnits: -7n, freshEvidenceUnits: -3n };
          const reversal = { operationId: 41n, settledAt, units: negative, reason: 'Lost.' };
          return { ...statement, entries: [entry, reversal] };
        },
      },
    },
    { config: { accountPagesPerSecond: 2, credentialBurst: 1_000 }, now: () => clock },
  );
});
afterAll(() => gateway[Symbol.asyncDispose]());

let clock = 0;

/** Moves the clock first, so that the page limit of the account does not apply. */
async function read(path: string): Promise<{ status: number; headers: Headers; body: unknown }> {
  clock += 10_000;
  const response = await gateway.call(path);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

test('GET /api/usages hands its filters on, and shows what comes back in the words of the interface', async () => {
  const since = '2026-01-31T00:00:00+01:00';
  const query = new URLSearchParams({ since, action: 'company_lookup', status: 'failed', limit: '7', cursor: 'c' });
  const { status, headers, body } = await read(`/api/usages?${query}`);
  expect(asked.pop()).toMatchObject({
    ...{ since, action: Action.COMPANY_LOOKUP, status: Status.FAILED, limit: 7, cursor: 'c' },
    caller: { identity: { case: 'principal', value: { accountId: 7n } } },
  });
  expect([status, headers.get('ratelimit'), headers.get('link'), headers.get('cache-control')]).toEqual([
    ...[200, null, null, 'private, no-store'],
  ]);
  const at = '2026-03-04T05:06:07.089Z';
  const shown = { request_units: 1, delivered_units: 7, fresh_evidence_units: 3 };
  const none = { request_units: 0, delivered_units: 0, fresh_evidence_units: 0 };
  expect(body).toEqual({
    usages: [
      {
        usage: { id: 41, status: 'delivered', request_key: 'k', ...shown },
        ...{ action: 'company_search', query: 'bids', created_at: at, finished_at: at, error: null },
      },
      {
        usage: { id: 40, status: 'failed', request_key: 'j', ...none },
        ...{ action: 'diagnostic', query: null, created_at: at, finished_at: at },
        error: { code: 'search_failed', message: 'Broke.' },
      },
    ],
    next_cursor: 'next',
    as_of: at,
  });
});

test('without filters none is handed on', async () => {
  await read('/api/usages');
  expect(asked.pop()).toMatchObject({ action: Action.UNSPECIFIED, status: Status.UNSPECIFIED });
  await read('/api/usages?');
  expect(asked.pop()).not.toHaveProperty('limit');
});

test('GET /api/usage/statement shows entries and reversals, each in the millisecond that it lies in', async () => {
  const { status, body } = await read('/api/usage/statement?limit=1000&until=2026-04-01T00:00:00Z');
  expect(asked.pop()).toMatchObject({ limit: 1000, until: '2026-04-01T00:00:00Z' });
  const at = '2026-03-04T05:06:07.089Z';
  expect(status).toBe(200);
  expect(body).toMatchObject({
    ...{ since: at, until: at, as_of: at, next_cursor: null },
    entries: [
      {
        ...{
          usage_id: 41,
          request_key: 'k',
          action: 'company_lookup',
          settled_at: at,
          kind: 'settlement',
          reason: null,
        },
        ...{ request_units: 1, delivered_units: 7, fresh_evidence_units: 3 },
      },
      {
        ...{ usage_id: 41, request_key: null, action: null, settled_at: at, kind: 'reversal', reason: 'Lost.' },
        ...{ request_units: -1, delivered_units: -7, fresh_evidence_units: -3 },
      },
    ],
    totals: { request_units: 0, delivered_units: 0, fresh_evidence_units: 0 },
  });
});

test.each([
  '/api/usages?limit=101',
  '/api/usages?limit=1e1',
  '/api/usages?limit=1&limit=2',
  '/api/usages?status=done',
  '/api/usages?action=usage',
  '/api/usages?query=a',
  '/api/usage/statement?limit=1001',
  '/api/usage/statement?status=delivered',
  '/api/usage/statement?since=a&since=b',
])('%s is refused before any service is asked, and takes no page', async (path) => {
  for (let n = 0; n < 3; n += 1)
    expect(await read(path)).toMatchObject({ status: 422, body: { error: { code: 'invalid_request' } } });
  expect(asked).toEqual([]);
});

test('pages of lists and statements share a bound of the account, whatever its credentials', async () => {
  clock += 10_000;
  const statuses = [];
  for (const path of ['/api/usages', '/api/usage/statement', '/api/usages', '/api/usage/statement'])
    statuses.push((await gateway.call(path)).status);
  expect(statuses).toEqual([200, 200, 429, 429]);
  const refused = await gateway.call('/api/usages');
  expect(await refused.json()).toMatchObject({ error: { code: 'rate_limited', retry_after_seconds: 1 } });
  expect(refused.headers.get('retry-after')).toBe('1');
  const other = await gateway.call('/api/usages', { headers: { authorization: `Bearer ${OTHER_TOKEN}` } });
  expect(other.status).toBe(200);
  clock += 1_000;
  expect((await gateway.call('/api/usages')).status).toBe(200);
});
