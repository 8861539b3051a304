import { beforeEach, expect, test, vi } from 'vitest';
import { companyResult, delivered, failure, pending, refusal, usageOf } from '../test-support/answers.ts';
import { type Act, hangUp, json, silence, startScriptedServer } from '../test-support/scripted-server.ts';
import { type CesAttempt, CesClient, CesError, type PendingAnswer } from './index.ts';

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  return () => vi.restoreAllMocks();
});

const input = { query: 'cold storage' };

function createClient(baseUrl: string, onAttempt: (attempt: CesAttempt) => void = () => undefined): CesClient {
  return new CesClient({ baseUrl, apiKey: 'ces_test_key', onAttempt });
}

test('nothing is sent before it is asked for', async () => {
  await using server = await startScriptedServer(delivered);
  const search = createClient(server.url).searchCompanies(input);
  expect(search.requestKey).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  expect([search.units, search.usageId, search.replayed]).toEqual([undefined, undefined, false]);
  expect(server.seen).toHaveLength(0);
});

test('done polls a pending operation after Retry-After, survives failed polls, and reports progress', async () => {
  await using server = await startScriptedServer(pending(0), pending(1), hangUp, delivered);
  const progress: PendingAnswer[] = [];
  const search = createClient(server.url).searchCompanies(input);
  const result = await search.done({ onProgress: (answer) => progress.push(answer) });
  expect(result).toEqual(companyResult());
  expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST /api/companies/search',
    ...Array(3).fill('GET /api/usages/7'),
  ]);
  expect(progress.map(({ usage, retryAfterMs }) => [usage.status, retryAfterMs])).toEqual([
    ['pending', 0],
    ['pending', 1000],
  ]);
  expect((server.seen[2]?.at ?? 0) - (server.seen[1]?.at ?? 0)).toBeGreaterThan(950);
  expect(search.units).toEqual({ request: 1, delivered: 2, fresh: 0 });
});

test('submit gives the first answer, and done goes on from it', async () => {
  await using server = await startScriptedServer(pending(0), delivered);
  const search = createClient(server.url).searchCompanies(input, { background: true });
  expect(await search.submit()).toMatchObject({ status: 'pending', usage: usageOf(), retryAfterMs: 0 });
  expect(search.usageId).toBe(7);
  await search.done();
  expect(server.seen.map(({ method }) => method)).toEqual(['POST', 'GET']);
  expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({ ...input, background: true });
});

test('done and submit at the same time send it once', async () => {
  await using server = await startScriptedServer(delivered);
  const search = createClient(server.url).searchCompanies(input);
  await Promise.all([search.submit(), search.done(), search.done()]);
  expect(server.seen).toHaveLength(1);
});

test('a failed operation is submitted again with the same key', async () => {
  await using server = await startScriptedServer(refusal(401, 'invalid_api_key'), delivered);
  const search = createClient(server.url).searchCompanies(input);
  await expect(search.done()).rejects.toMatchObject({ code: 'invalid_api_key' });
  await search.done();
  const [first, second] = server.seen.map(({ headers }) => headers['idempotency-key']);
  expect(second).toBe(first);
});

test('input that changes between attempts is sent as it was', async () => {
  await using server = await startScriptedServer(hangUp, delivered);
  const changing = { query: 'cold storage', filters: { domains: ['a.example'] } };
  const search = createClient(server.url).searchCompanies(changing);
  changing.filters.domains.push('b.example');
  await search.done();
  expect(server.seen.map(({ body }) => JSON.parse(body).filters.domains)).toEqual(Array(2).fill(['a.example']));
});

test('a stored failure is thrown from a poll with its operation', async () => {
  await using server = await startScriptedServer(pending(0), failure('search_failed'));
  const search = createClient(server.url).searchCompanies(input);
  const error = await search.done().catch((thrown: unknown) => thrown);
  expect(CesError.is(error, 'search_failed') && error.usage).toEqual(usageOf({ status: 'failed' }));
  expect(search.units).toEqual({ request: 0, delivered: 0, fresh: 0 });
});

test('one company is polled by the identical call, since a poll would show a look-up', async () => {
  const company = { id: 4711, name: 'Maple', domains: [], observations: [], limitations: [] };
  const headers = {
    'usage-id': '9',
    'units-settled': 'request=1, delivered=1, fresh=0',
    'idempotent-replayed': 'true',
  };
  await using server = await startScriptedServer(pending(0), json(200, { company }, headers));
  const one = createClient(server.url).getCompany(4711);
  expect(await one.done()).toEqual({ company });
  expect(server.seen.map(({ url }) => url)).toEqual(Array(2).fill('/api/companies/4711'));
  expect(new Set(server.seen.map((seen) => seen.headers['idempotency-key']))).toEqual(new Set([one.requestKey]));
  expect([one.units, one.usageId, one.replayed]).toEqual([{ request: 1, delivered: 1, fresh: 0 }, 7, true]);
});

test('a resumed operation is polled, and learns its key', async () => {
  await using server = await startScriptedServer(pending(0), delivered);
  const resumed = createClient(server.url).resume(7);
  expect(resumed.requestKey).toBeUndefined();
  expect(await resumed.done()).toEqual(companyResult());
  expect(resumed.requestKey).toBe('a-key');
  expect(server.seen.map(({ url }) => url)).toEqual(Array(2).fill('/api/usages/7'));
});

test.each<[string, Act, number]>([
  ['an answer', silence, 0],
  ['another attempt', refusal(503, 'service_unavailable', {}, { 'retry-after': '30' }), 1],
  ['a poll', pending(30), 1],
])('a signal ends the wait for %s with its reason', async (_, act, answered) => {
  await using server = await startScriptedServer(act);
  const attempts: CesAttempt[] = [];
  const ces = createClient(server.url, (attempt) => attempts.push(attempt));
  const controller = new AbortController();
  const done = ces.searchCompanies(input, { signal: controller.signal }).done();
  await vi.waitFor(() => expect([server.seen.length, attempts.length]).toEqual([1, answered]));
  const reason = new Error('the page was left');
  controller.abort(reason);
  await expect(done).rejects.toBe(reason);
});

test('a signal that is aborted already sends nothing', async () => {
  await using server = await startScriptedServer(delivered);
  const reason = new Error('no');
  const search = createClient(server.url).searchCompanies(input);
  await expect(search.done({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(server.seen).toHaveLength(0);
});

test('one who waits may leave while another goes on', async () => {
  await using server = await startScriptedServer(pending(1), delivered);
  const search = createClient(server.url).searchCompanies(input);
  const controller = new AbortController();
  const left = search.done({ signal: controller.signal, onProgress: () => controller.abort() });
  const stayed = search.done();
  await expect(left).rejects.toMatchObject({ name: 'AbortError' });
  expect(await stayed).toEqual(companyResult());
});

test('a key is sent as UTF-8, and one that no header carries is refused before anything is sent', async () => {
  await using server = await startScriptedServer(delivered);
  const ces = createClient(server.url);
  const search = ces.searchCompanies(input, { requestKey: ' clé ☀ ' });
  await search.done();
  expect(search.requestKey).toBe('clé ☀');
  const sent = server.seen[0]?.headers['idempotency-key'];
  expect(Buffer.from(String(sent), 'latin1').toString('utf8')).toBe('clé ☀');
  for (const requestKey of ['', ' ', 'a\nb', 'x'.repeat(1025)])
    expect(() => ces.searchCompanies(input, { requestKey })).toThrow(/^requestKey must have/);
});

test('a page without a secure context gets keys all the same', async () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
  const keys = [1, 2].map(() => createClient('http://localhost').searchCompanies(input).requestKey);
  vi.unstubAllGlobals();
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(keys).size).toBe(2);
});
