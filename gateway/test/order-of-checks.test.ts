import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CallInit, startGateway, type TestGateway } from '../test-support/gateway.ts';
import { answerOf, principalOf, searched, TOKEN, VERSION } from '../test-support/peers.ts';

let gateway: TestGateway;
let submitted = 0;

beforeAll(async () => {
  gateway = await startGateway({
    ledger: {
      authenticate: ({ bearer }) => ({
        principal: { ...principalOf(TOKEN), subscriptionStatus: bearer === TOKEN ? 'trialing' : statusOf(bearer) },
        version: VERSION,
      }),
    },
    operations: {
      submitCompanySearch: () => {
        submitted += 1;
        return { answer: answerOf(searched) };
      },
    },
  });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

function statusOf(bearer: string): string {
  if (bearer === 'unknown') throw fail(FailureCode.INVALID_API_KEY, 'unknown');
  return bearer;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const search = (init: CallInit) => gateway.call('/api/companies/search', { method: 'POST', ...init });
const good = { requestKey: 'k', json: { query: 'bids' } };

/** Each row has its own fault and all faults of the rows below; the gateway reports its own. */
test.each<[string, number, CallInit & { readonly path?: string }]>([
  ['not_found', 404, { path: '/api/nothing', headers: { authorization: 'Bearer unknown' } }],
  ['method_not_allowed', 405, { method: 'PUT', headers: { authorization: 'Bearer unknown' } }],
  ['invalid_api_key', 401, { headers: { authorization: 'Bearer unknown', 'content-type': 'text/plain' }, body: '{' }],
  [
    'subscription_required',
    402,
    { headers: { authorization: 'Bearer canceled', 'content-type': 'text/plain' }, body: '{' },
  ],
  ['unsupported_media_type', 415, { headers: { 'content-type': 'text/plain' }, body: ' '.repeat(200_000) }],
  ['payload_too_large', 413, { headers: JSON_TYPE, body: ' '.repeat(131_073) }],
  ['invalid_search', 422, { headers: JSON_TYPE, body: '{' }],
  ['idempotency_key_required', 422, { json: { limit: 0 } }],
  ['invalid_search', 422, { requestKey: 'k', json: { query: 'x', limit: 0 } }],
])('%s is checked before the next mistake', async (code, status, { path, ...init }) => {
  const before = submitted;
  const response = path ? await gateway.call(path, { method: 'POST', ...init }) : await search(init);
  expect({ status: response.status, body: await response.json() }).toMatchObject({ status, body: { error: { code } } });
  expect(submitted).toBe(before);
});

test('a correct call reaches operations', async () => {
  expect((await search(good)).status).toBe(200);
});

test.each(['past_due', 'paused', 'canceled', 'unpaid', 'incomplete'])('a %s subscription is 402', async (status) => {
  const response = await search({ ...good, headers: { authorization: `Bearer ${status}` } });
  expect(response.status).toBe(402);
});

test('missing, malformed, unknown and revoked credentials get the same 401 body', async () => {
  const headers = ['', 'Bearer', 'Basic abc', 'Bearer unknown', 'Bearer a b'];
  const answers = await Promise.all(headers.map((authorization) => search({ ...good, headers: { authorization } })));
  expect(answers.map(({ status }) => status)).toEqual(headers.map(() => 401));
  expect(answers.map((answer) => answer.headers.get('www-authenticate'))).toEqual(headers.map(() => 'Bearer'));
  expect(new Set(await Promise.all(answers.map((answer) => answer.text())))).toHaveProperty('size', 1);
});

test('a credential in the address is ignored', async () => {
  const response = await fetch(`${gateway.url}/api/usage?access_token=${TOKEN}`);
  expect(response.status).toBe(401);
});

test.each<[string, CallInit]>([
  ['no media type', { headers: { 'content-type': '' }, body: '{}' }],
  ['another media type', { headers: { 'content-type': 'application/vnd.api+json' }, body: '{}' }],
  ['a form', { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'query=x' }],
  ['another charset', { headers: { 'content-type': 'application/json; charset=iso-8859-1' }, body: '{}' }],
  ['a compressed body', { headers: { ...JSON_TYPE, 'content-encoding': 'gzip' }, body: '{}' }],
  ['media types in a list', { headers: { 'content-type': 'application/json, text/plain' }, body: '{}' }],
])('%s is 415', async (_name, init) => {
  const response = await search({ requestKey: 'k', ...init });
  expect(response.status).toBe(415);
  expect(await response.json()).toMatchObject({ error: { code: 'unsupported_media_type' } });
});

test.each(['application/json', 'application/json;charset=utf-8', 'Application/JSON; charset="UTF-8"'])(
  '%s is accepted',
  async (type) => {
    const response = await search({ requestKey: 'k', headers: { 'content-type': type }, body: '{"query":"bids"}' });
    expect(response.status).toBe(200);
  },
);

test('headers of a GET about a body that it does not have are ignored', async () => {
  const response = await gateway.call('/api/companies/0', {
    requestKey: 'k',
    headers: { 'content-type': 'text/plain' },
  });
  expect(response.status).toBe(422);
});

test('a body of exactly 128 KiB is accepted', async () => {
  const body = '{"query":"bids"}'.padEnd(131_072, ' ');
  expect((await search({ requestKey: 'k', headers: JSON_TYPE, body })).status).toBe(200);
});
