import { CesClient, type CesError } from '@ces/client';
import {
  endEarly,
  hangUp,
  hangUpMidBody,
  json,
  page,
  type ScriptedServer,
  silence,
  slowBody,
  startScriptedServer,
} from '@ces/client/test-support/scripted-server';
import { expect, test } from 'vitest';
import { httpFetch } from './http-fetch.ts';

const LIST = { usages: [], next_cursor: null };

function clientOf(
  server: ScriptedServer,
  options: { readonly timeoutMs?: number; readonly maxAttempts?: number } = {},
) {
  return new CesClient({ baseUrl: server.url, apiKey: 'ces_live_x', fetch: httpFetch, maxAttempts: 1, ...options });
}

test('an answer arrives whole, and a request with its body and headers', async () => {
  const text = 'é'.repeat(200_000);
  await using server = await startScriptedServer(
    json(200, { ...LIST, text }),
    json(422, { error: { code: 'c', message: 'm' } }),
  );
  const client = clientOf(server);
  expect(await client.listUsages()).toEqual({ ...LIST, text });
  const search = client.searchCompanies({ query: 'café' }, { requestKey: 'clé' });
  await expect(search.done()).rejects.toMatchObject({ code: 'c', requestId: 'request-1' });
  expect(server.seen[1]).toMatchObject({
    method: 'POST',
    url: '/api/companies/search',
    headers: { authorization: 'Bearer ces_live_x', 'content-type': 'application/json', 'content-length': '17' },
    body: '{"query":"café"}',
  });
});

test('a redirect is not followed, and a page of a proxy is no answer', async () => {
  await using server = await startScriptedServer(page(302, { location: 'http://127.0.0.1:9/' }), page(200));
  const client = clientOf(server);
  await expect(client.listUsages()).rejects.toMatchObject({ code: 'redirect_refused', status: 302 });
  await expect(client.listUsages()).rejects.toMatchObject({ code: 'unexpected_answer', status: 200 });
  expect(server.seen).toHaveLength(2);
});

test.each([
  ['without an answer', hangUp],
  ['in the middle of one', hangUpMidBody],
  ['too early', endEarly],
])('a connection that ends %s is tried again', async (_when, act) => {
  await using server = await startScriptedServer(act, json(200, LIST));
  expect(await clientOf(server, { maxAttempts: 2 }).listUsages()).toEqual(LIST);
});

test.each([
  ['nothing', silence],
  ['half an answer', slowBody],
])('a server that sends %s does not block the call forever', async (_what, act) => {
  await using server = await startScriptedServer(act);
  await expect(clientOf(server, { timeoutMs: 50 }).listUsages()).rejects.toMatchObject({ code: 'connection_failed' });
  await using other = await startScriptedServer(act);
  const interrupted = new AbortController();
  const call = clientOf(other).listUsages({}, { signal: interrupted.signal });
  await expect.poll(() => other.seen.length).toBe(1);
  interrupted.abort(new Error('interrupted'));
  await expect(call).rejects.toThrow('interrupted');
});

test('an address without a server is reported with its cause', async () => {
  const client = new CesClient({ baseUrl: 'http://127.0.0.1:9', apiKey: 'x', fetch: httpFetch, maxAttempts: 1 });
  const error = await client.listUsages().catch((caught: CesError) => caught);
  expect(error).toMatchObject({ code: 'connection_failed', cause: { code: 'ECONNREFUSED' } });
});
