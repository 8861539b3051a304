import { inspect } from 'node:util';
import { beforeEach, expect, test, vi } from 'vitest';
import { delivered, refusal } from '../test-support/answers.ts';
import {
  type Act,
  endEarly,
  hangUp,
  hangUpMidBody,
  json,
  page,
  silence,
  slowBody,
  startScriptedServer,
} from '../test-support/scripted-server.ts';
import { type CesAttempt, CesClient, type CesClientOptions, CesError } from './index.ts';

const API_KEY = `ces_test_${'a1B2'.repeat(9)}zz`;
const input = { query: 'cold storage', filters: { countries: ['CA'] } } as const;

// Removes the jitter, so that waits are exactly what the service requests.
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  return () => vi.restoreAllMocks();
});

function createClient(baseUrl: string, options: Partial<CesClientOptions> = {}): CesClient {
  return new CesClient({ baseUrl, apiKey: API_KEY, timeoutMs: 1_000, ...options });
}

async function thrownBy(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

test.each<[string, Act]>([
  ['a connection that ends without an answer', hangUp],
  ['a connection that ends in the middle of an answer', hangUpMidBody],
  ['an answer that does not come in time', silence],
  ['an answer that does not end in time', slowBody],
  ['an answer that ends too early without a word', endEarly],
  ['408', refusal(408, 'request_timeout')],
  ['429 rate_limited', refusal(429, 'rate_limited', { retry_after_seconds: 0 })],
  ['500', refusal(500, 'internal_error')],
  ['503', refusal(503, 'service_unavailable', {}, { 'retry-after': '0' })],
  ['502 of a proxy', page(502)],
  ['504 of a proxy', page(504)],
])('%s: the same call is sent again with the same key and body', async (_, fault) => {
  await using server = await startScriptedServer(fault, fault, delivered);
  const search = createClient(server.url).searchCompanies(input);
  expect((await search.done()).usage.id).toBe(7);
  expect(server.seen).toHaveLength(3);
  for (const { method, url, headers, body } of server.seen) {
    expect([method, url]).toEqual(['POST', '/api/companies/search']);
    expect(headers['idempotency-key']).toBe(search.requestKey);
    expect(JSON.parse(body)).toEqual(input);
  }
});

test('reads are repeated alike', async () => {
  await using server = await startScriptedServer(
    hangUp,
    refusal(503, 'service_unavailable'),
    json(200, { sources: [] }),
  );
  expect(await createClient(server.url).getSources()).toEqual({ sources: [] });
});

const unavailable = (headers: Record<string, string>, more = {}): Act =>
  refusal(503, 'service_unavailable', more, headers);

test.each<[string, Act]>([
  ['Retry-After in seconds', unavailable({ 'retry-after': '1' })],
  [
    'Retry-After as a date',
    (...call) => unavailable({ 'retry-after': new Date(Date.now() + 2_000).toUTCString() })(...call),
  ],
  ['retry_after_seconds', unavailable({}, { retry_after_seconds: 1 })],
  ['retry_at alone', (...call) => unavailable({}, { retry_at: new Date(Date.now() + 1_000).toISOString() })(...call)],
])('nothing is sent again before %s has passed', async (_, refused) => {
  await using server = await startScriptedServer(refused, delivered);
  await createClient(server.url).searchCompanies(input).done();
  const [first, second] = server.seen;
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(950);
});

test('after as many attempts as were allowed the last error is thrown, with the key to go on with', async () => {
  await using server = await startScriptedServer(hangUp);
  const search = createClient(server.url, { maxAttempts: 3 }).searchCompanies(input);
  const error = await thrownBy(search.done());
  expect(error).toMatchObject({ code: 'connection_failed', status: 0, requestKey: search.requestKey });
  expect(server.seen).toHaveLength(3);
});

test('a wait that is longer than the longest one is not begun', async () => {
  await using server = await startScriptedServer(refusal(429, 'rate_limited', { retry_after_seconds: 1800 }));
  const error = await thrownBy(createClient(server.url).diagnose().done());
  expect(error).toMatchObject({ code: 'rate_limited', retryAfterMs: 1_800_000, retryAt: expect.any(Date) });
  expect(server.seen).toHaveLength(1);
});

test.each([
  [401, 'invalid_api_key'],
  [402, 'subscription_required'],
  [404, 'company_not_found'],
  [422, 'invalid_search'],
  [422, 'idempotency_conflict'],
  [422, 'search_failed'],
  [429, 'request_limit_reached'],
])('%i %s is thrown at once, typed by its code', async (status, code) => {
  await using server = await startScriptedServer(refusal(status, code, { retry_after_seconds: 1 }));
  const error = await thrownBy(createClient(server.url).searchCompanies(input).done());
  expect(CesError.is(error, code)).toBe(true);
  expect(CesError.is(error, 'usage_expired')).toBe(false);
  expect(error).toMatchObject({ status, message: `The message of ${code}.`, requestId: 'request-1' });
  expect(server.seen).toHaveLength(1);
});

test('a used-up allowance is waited for when that is asked for, however often it is refused', async () => {
  const refused = refusal(429, 'request_limit_reached', { retry_after_seconds: 1 });
  await using server = await startScriptedServer(refused, refused, delivered);
  const ces = createClient(server.url, { maxAttempts: 1 });
  await ces.searchCompanies(input, { waitForAllowance: true }).done();
  expect(server.seen.map(({ headers }) => headers['idempotency-key'])).toEqual(Array(3).fill(expect.any(String)));
  expect((server.seen[2]?.at ?? 0) - (server.seen[0]?.at ?? 0)).toBeGreaterThan(1950);
});

test('it is not waited for longer than was allowed, nor when no wait would help', async () => {
  await using server = await startScriptedServer(
    refusal(429, 'request_limit_reached', { retry_after_seconds: 60 }),
    refusal(429, 'request_limit_reached'),
  );
  const ces = createClient(server.url);
  for (const waitForAllowance of [5_000, true]) {
    const error = await thrownBy(ces.searchCompanies(input, { waitForAllowance }).done());
    expect(CesError.is(error, 'request_limit_reached')).toBe(true);
  }
  expect(server.seen).toHaveLength(2);
});

test('an answer that sends elsewhere is refused, and nothing goes there', async () => {
  await using elsewhere = await startScriptedServer(delivered);
  await using server = await startScriptedServer(page(307, { location: `${elsewhere.url}/api/companies/search` }));
  const error = await thrownBy(createClient(server.url).searchCompanies(input).done());
  expect(CesError.is(error, 'redirect_refused')).toBe(true);
  expect([server.seen.length, elsewhere.seen.length]).toEqual([1, 0]);
});

test.each<[string, Act]>([
  ['the page of a proxy', page(200)],
  ['an error page', page(404)],
  ['JSON that is no object', json(200, [])],
  ['an error that is none of the interface', json(400, { error: 'no' })],
  ['a result without what it must have', json(200, { usage: { id: 'x' }, companies: [] })],
  ['a pending body without its operation', json(202, {})],
])('%s is an unexpected_answer in a sentence, and quotes nothing of it', async (_, act) => {
  await using server = await startScriptedServer(act);
  const error = await thrownBy(createClient(server.url).searchCompanies(input).done());
  expect(CesError.is(error, 'unexpected_answer')).toBe(true);
  expect(String(error)).toMatch(/^CesError: POST \/api\/companies\/search got an answer \(\d+\)[^<{]*\.$/);
  expect(server.seen).toHaveLength(1);
});

test('the API key appears in no error, attempt, address or printed value', async () => {
  await using server = await startScriptedServer(
    page(502),
    refusal(503, 'service_unavailable'),
    json(401, { error: { code: 'invalid_api_key', message: `Unknown key ${API_KEY}.` } }),
  );
  const attempts: CesAttempt[] = [];
  const ces = createClient(server.url, { onAttempt: (attempt) => attempts.push(attempt) });
  const search = ces.searchCompanies(input);
  const error = await thrownBy(search.done());
  const printed = inspect([ces, search, error, attempts], { depth: 9, showHidden: true });
  expect(attempts.map(({ attempt, status, waitMs }) => [attempt, status, waitMs])).toEqual([
    [1, 502, 0],
    [2, 503, 0],
    [3, 401, undefined],
  ]);
  expect(CesError.is(error, 'invalid_api_key')).toBe(true);
  expect(`${printed}${JSON.stringify(error)}${server.seen.map(({ url }) => url)}`).not.toContain(API_KEY);
  expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${API_KEY}`);
});

test('a text that no header takes is refused as API key without being repeated', async () => {
  await using server = await startScriptedServer(delivered);
  const error = await thrownBy(createClient(server.url, { apiKey: `${API_KEY}\n` }).getUsage());
  expect(error).toBeInstanceOf(TypeError);
  expect(inspect(error)).not.toContain(API_KEY);
  expect(server.seen).toHaveLength(0);
});

test('an API key that is asked for is asked for before each attempt', async () => {
  await using server = await startScriptedServer(hangUp, delivered);
  let asked = 0;
  const ces = createClient(server.url, { apiKey: async () => `ces_live_${++asked}` });
  await ces.searchCompanies(input).done();
  expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer ces_live_1', 'Bearer ces_live_2']);
});

test('sources are asked for without it', async () => {
  await using server = await startScriptedServer(json(200, { sources: [] }));
  await createClient(server.url, { userAgent: 'a-program/2' }).getSources();
  expect(server.seen[0]?.headers).not.toHaveProperty('authorization');
  expect(server.seen[0]?.headers).toMatchObject({ accept: 'application/json', 'user-agent': 'a-program/2' });
});

test('baseUrl may have a path, and must be an address without a user', async () => {
  await using server = await startScriptedServer(json(200, { sources: [] }));
  await createClient(`${server.url}/evidence/`).getSources();
  expect(server.seen[0]?.url).toBe('/evidence/sources');
  for (const baseUrl of ['', 'gateway', 'ftp://gateway', 'http://user:password@gateway'])
    expect(() => createClient(baseUrl)).toThrow(/^baseUrl must be/);
});
