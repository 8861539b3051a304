import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type CallInit, startGateway, type TestGateway } from '../test-support/gateway.ts';
import { modernMessage } from '../test-support/mcp-client.ts';
import { answerOf, searched, TOKEN } from '../test-support/peers.ts';
import { sendRaw } from '../test-support/raw-http.ts';

let submitted = 0;
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway(
    {
      operations: {
        submitCompanySearch: async () => {
          submitted += 1;
          return { answer: answerOf(searched) };
        },
      },
    },
    { config: { corsOrigins: ['https://app.example'], mcpHosts: ['api.example'] } },
  );
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});
beforeEach(() => {
  submitted = 0;
});

const call = { name: 'search_companies', arguments: { query: 'bids', request_key: 'k' } };
const post = (message: { json: unknown; headers: Record<string, string> }, init: CallInit = {}) =>
  gateway.call('/mcp', {
    method: 'POST',
    json: message.json,
    ...init,
    headers: { ...message.headers, ...init.headers },
  });
/** Reads the whole answer, because the connection would otherwise stay in use. */
const statusOf = async (answer: Promise<Response>) => {
  const response = await answer;
  await response.text();
  return response.status;
};
const bodyOf = async (response: Response) => (await response.json()) as never;

test.each(['GET', 'DELETE', 'PUT'])('%s is 405: there is no stream and no session', async (method) => {
  const response = await gateway.call('/mcp', { method });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
});

test('without a credential there is HTTP 401 with WWW-Authenticate, whatever the body', async () => {
  for (const authorization of ['', 'Bearer nobody', `Basic ${TOKEN}`]) {
    const response = await gateway.call('/mcp', { method: 'POST', body: '{', headers: { authorization } });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(await bodyOf(response)).toMatchObject({ error: { code: 'invalid_api_key' } });
  }
});

test.each([
  ['an origin of another site', { origin: 'http://evil.example' }],
  ['an opaque origin', { origin: 'null' }],
  ['an origin of the same name on another port', { origin: 'http://127.0.0.1:1' }],
])('%s is 403', async (_what, headers) => {
  const response = await post(modernMessage('tools/call', call), { headers });
  expect(response.status).toBe(403);
  expect(await bodyOf(response)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32000 } });
  expect(submitted).toBe(0);
});

test('the origin that was called and those whose pages may call are good', async () => {
  const { host } = new URL(gateway.url);
  for (const origin of [`http://${host}`, 'https://app.example'])
    expect(await statusOf(post(modernMessage('tools/call', call), { headers: { origin } }))).toBe(200);
});

test.each([
  ['evil.example', 403],
  ['evil.example:8080', 403],
  ['127.0.0.1.evil.example', 403],
  ['api.example', 200],
  ['API.example:443', 200],
  ['localhost:1234', 200],
])('called as %s it answers %i', async (host, status) => {
  const { json, headers } = modernMessage('tools/list');
  const lines = Object.entries({
    ...headers,
    host,
    authorization: `Bearer ${TOKEN}`,
    'content-type': 'application/json',
  });
  const body = JSON.stringify(json);
  const answer = await sendRaw(
    gateway.port,
    `POST /mcp HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  );
  expect(answer.status).toBe(status);
});

test.each<[string, number, number, Record<string, string>]>([
  ['a method header that names another method', 400, -32020, { 'mcp-method': 'tools/list' }],
  ['a name header that names another tool', 400, -32020, { 'mcp-name': 'get_companies' }],
  ['a version header that names another revision', 400, -32020, { 'mcp-protocol-version': '2025-11-25' }],
])('%s is %i with %i, and nothing is done', async (_what, status, code, headers) => {
  const response = await post(modernMessage('tools/call', call), { headers });
  expect(response.status).toBe(status);
  expect(await bodyOf(response)).toMatchObject({ id: 1, error: { code } });
  expect(submitted).toBe(0);
});

test('a method that is not there is 404 with -32601', async () => {
  const response = await post(modernMessage('tools/nothing'));
  expect(response.status).toBe(404);
  expect(await bodyOf(response)).toMatchObject({ id: 1, error: { code: -32601 } });
});

test('a revision that is not served is 400 with those that are', async () => {
  const { json, headers } = modernMessage('tools/list');
  const other = JSON.parse(JSON.stringify(json).replaceAll('2026-07-28', '2099-01-01'));
  const response = await post({ json: other, headers: { ...headers, 'mcp-protocol-version': '2099-01-01' } });
  expect(response.status).toBe(400);
  expect(await bodyOf(response)).toMatchObject({ error: { data: { supported: ['2026-07-28'] } } });
});

test.each([
  ['a body that is no JSON', '{', -32700],
  ['no body', '', -32700],
  ['a batch', JSON.stringify([modernMessage('tools/list').json]), -32600],
  ['a message of no kind', '{"jsonrpc":"2.0"}', -32600],
  ['null', 'null', -32600],
])('%s is 400 with JSON-RPC’s error', async (_what, body, code) => {
  const response = await gateway.call('/mcp', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
  expect(response.status).toBe(400);
  expect(await bodyOf(response)).toMatchObject({ jsonrpc: '2.0', error: { code } });
});

test('media type and size are checked as on REST', async () => {
  const send = (type: string, body: string) =>
    statusOf(gateway.call('/mcp', { method: 'POST', body, headers: { 'content-type': type } }));
  expect(await send('text/plain', '{}')).toBe(415);
  expect(await send('application/json', ' '.repeat(131_073))).toBe(413);
});

test.each([
  ['a key that stands twice', '"query":"a","query":"b"'],
  ['the key __proto__', '"query":"a","__proto__":{}'],
  ['a number that only rounding makes whole', '"query":"a","limit":1.00000000000000000001'],
  ['a number beyond 2^53 - 1', '"query":"a","limit":9007199254740993'],
  ['more than 16 levels', `"query":"a","filters":${'{"a":'.repeat(16)}1${'}'.repeat(16)}`],
])('%s in the arguments is a result of the tool', async (_what, members) => {
  const { json, headers } = modernMessage('tools/call', { ...call, arguments: 0 });
  const body = JSON.stringify(json).replace('"arguments":0', `"arguments":{"request_key":"k",${members}}`);
  const response = await gateway.call('/mcp', {
    method: 'POST',
    body,
    headers: { ...headers, 'content-type': 'application/json' },
  });
  expect(response.status).toBe(200);
  expect(await bodyOf(response)).toMatchObject({
    id: 1,
    result: { isError: true, structuredContent: { error: { code: 'invalid_search' } } },
  });
  expect(submitted).toBe(0);
});

test('a notification is 202 without a body, and a call sent as one is not done', async () => {
  const { json, headers } = modernMessage('tools/call', call);
  const { id: _id, ...notification } = json;
  const response = await post({ json: notification, headers });
  expect([response.status, await response.text()]).toEqual([202, '']);
  expect(submitted).toBe(0);
});

test('a client of an older revision is offered one that is served, in JSON and without a session', async () => {
  for (const [asked, offered] of [
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2024-11-05', '2025-11-25'],
  ]) {
    const params = { protocolVersion: asked, capabilities: {}, clientInfo: { name: 't', version: '1' } };
    const response = await post({ json: { jsonrpc: '2.0', id: 'a', method: 'initialize', params }, headers: {} });
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(response.headers.get('mcp-session-id')).toBeNull();
    expect(await bodyOf(response)).toMatchObject({ id: 'a', result: { protocolVersion: offered } });
  }
});

test('there is nothing to subscribe to: a subscription is acknowledged empty and ends at once', async () => {
  const response = await post(modernMessage('subscriptions/listen', { notifications: { toolsListChanged: true } }));
  expect(response.status).toBe(200);
  const text = await response.text();
  expect(text).toContain('notifications/subscriptions/acknowledged');
  expect(text).toContain('"resultType":"complete"');
});

test('the tools may be kept by any cache for a while', async () => {
  const { result } = (await bodyOf(await post(modernMessage('tools/list')))) as { result: object };
  expect(result).toMatchObject({ ttlMs: 300_000, cacheScope: 'public' });
});
