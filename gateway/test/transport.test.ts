import { once } from 'node:events';
import net from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startGateway, type TestGateway } from '../test-support/gateway.ts';
import { sendRaw } from '../test-support/raw-http.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({}, { config: { requestTimeoutMs: 300 } });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

const ANSWERED_WITHIN_MS = 5_000;
const HOST = 'Host: x\r\nConnection: close\r\n';
const AUTHORISED = 'Authorization: Bearer ces_live_test\r\nContent-Type: application/json\r\n';

function inCoding(coding: string): string {
  return `POST /api/usages HTTP/1.1\r\n${HOST}${AUTHORISED}Transfer-Encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`;
}

test.each([
  ['what is not HTTP', 'GARBAGE\r\n\r\n', 400, 'invalid_request'],
  ['a method that is none', `BREW / HTTP/1.1\r\n${HOST}\r\n`, 400, 'invalid_request'],
  ['a missing Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'invalid_request'],
  ['bad percent-encoding', `GET /api/%zz HTTP/1.1\r\n${HOST}\r\n`, 400, 'invalid_request'],
  [
    'two lengths',
    `POST /api/usages HTTP/1.1\r\n${HOST}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
    400,
    'invalid_request',
  ],
  ['a transfer coding before chunked', inCoding('gzip, chunked'), 400, 'invalid_request'],
  ['identity as a transfer coding', inCoding('identity, chunked'), 400, 'invalid_request'],
  ['a body that is not chunked last', inCoding('gzip'), 400, 'invalid_request'],
  ['a body that is chunked twice', inCoding('chunked, chunked'), 400, 'invalid_request'],
  [
    'transfer codings in two fields',
    `POST /mcp HTTP/1.1\r\n${HOST}${AUTHORISED}Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
    'invalid_request',
  ],
  ['a long address', `GET /${'a'.repeat(9_000)} HTTP/1.1\r\n${HOST}\r\n`, 414, 'uri_too_long'],
  ['a long path parameter', `GET /api/usages/${'1'.repeat(8_500)} HTTP/1.1\r\n${HOST}\r\n`, 414, 'uri_too_long'],
  ['an address that fills the head', `GET /${'a'.repeat(40_000)} HTTP/1.1\r\n${HOST}\r\n`, 414, 'uri_too_long'],
  ['large headers', `GET / HTTP/1.1\r\n${HOST}X-Long: ${'a'.repeat(40_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ['many headers', `GET / HTTP/1.1\r\n${HOST}${'a: b\r\n'.repeat(20_000)}\r\n`, 431, 'headers_too_large'],
  ['a head that does not end', 'GET / HTTP/1.1\r\nHost: x\r\nX-', 408, 'request_timeout'],
  ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'method_not_allowed'],
  ['an unknown route', `GET /api/nothing HTTP/1.1\r\n${HOST}\r\n`, 404, 'not_found'],
  ['a route with a slash too many', `GET /api/usage/ HTTP/1.1\r\n${HOST}\r\n`, 404, 'not_found'],
  ['an empty id of a company', `GET /api/companies/?ids[]=1 HTTP/1.1\r\n${HOST}\r\n`, 404, 'not_found'],
  ['an empty id of a usage', `GET /api/usages/ HTTP/1.1\r\n${HOST}\r\n`, 404, 'not_found'],
  ['an empty id of an observation', `GET /api/observations/ HTTP/1.1\r\n${HOST}\r\n`, 404, 'not_found'],
  ['an empty id with another method', `POST /api/companies/ HTTP/1.1\r\n${HOST}\r\n`, 404, 'not_found'],
  ['an unknown method', `PROPFIND /api/usage HTTP/1.1\r\n${HOST}\r\n`, 405, 'method_not_allowed'],
])('%s ends in the Error body', async (_name, bytes, status, code) => {
  const answer = await sendRaw(gateway.port, bytes);
  expect(answer).toMatchObject({ status, body: { error: { code, message: expect.any(String) } } });
  expect(answer.head).toMatch(/^x-request-id: [0-9a-f-]{36}$/m);
  expect(answer.head).toMatch(/^content-type: application\/json/m);
});

test.each([
  ['413', `POST /api/usages HTTP/1.1\r\n${HOST}${AUTHORISED}Content-Length: 131073\r\n\r\n`, 'at most 131072 bytes'],
  ['414', `GET /${'a'.repeat(9_000)} HTTP/1.1\r\n${HOST}\r\n`, 'at most 8192 bytes'],
  ['414 of a path parameter', `GET /api/usages/${'1'.repeat(8_500)} HTTP/1.1\r\n${HOST}\r\n`, 'at most 8192 bytes'],
  ['431', `GET / HTTP/1.1\r\n${HOST}X-Long: ${'a'.repeat(40_000)}\r\n\r\n`, 'at most 24576 bytes'],
  ['408', 'GET / HTTP/1.1\r\nHost: x\r\nX-', 'within 0.3 s'],
])('%s names its limit', async (_status, bytes, limit) => {
  expect((await sendRaw(gateway.port, bytes)).body.error?.message).toContain(limit);
});

// Proxies send the whole body, and answer 502 if the connection ends earlier.
test('a body that is too large is read to its end and discarded', async () => {
  await using patient = await startGateway({});
  const client = net.connect(patient.port, '127.0.0.1');
  try {
    const length = 1_000_000;
    client.write(`POST /api/usages HTTP/1.1\r\nHost: x\r\n${AUTHORISED}Content-Length: ${length}\r\n\r\n `);
    let seen = '';
    client.setEncoding('utf8').on('data', (chunk: string) => {
      seen += chunk;
    });
    await vi.waitFor(() => expect(seen).toMatch(/^HTTP\/1\.1 413 /), ANSWERED_WITHIN_MS);
    client.write(' '.repeat(length - 1));
    client.write(`GET /api/nothing HTTP/1.1\r\nHost: x\r\n\r\n`);
    await vi.waitFor(() => expect(seen).toContain('HTTP/1.1 404 '), ANSWERED_WITHIN_MS);
  } finally {
    client.destroy();
  }
});

test('bytes after a head that announces too large a body are waited for no longer than others', async () => {
  const client = net.connect(gateway.port, '127.0.0.1');
  try {
    client.write(`POST /api/usages HTTP/1.1\r\nHost: x\r\n${AUTHORISED}Content-Length: 1000000\r\n\r\n `);
    await once(client, 'data');
    client.resume();
    await once(client, 'close');
  } finally {
    client.destroy();
  }
});

test('a connection is kept between requests for as long as the setting says, and the answer says so', async () => {
  await using patient = await startGateway({}, { config: { keepAliveMs: 620_000 } });
  const answer = await fetch(`http://127.0.0.1:${patient.port}/api/nothing`);
  expect(answer.headers.get('keep-alive')).toBe('timeout=620');
});

test('a body that does not arrive is request_timeout', async () => {
  const head = 'POST /api/diagnostics HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ces_live_test\r\n';
  const answer = await sendRaw(gateway.port, `${head}Content-Type: application/json\r\nContent-Length: 5\r\n\r\n{`);
  expect(answer).toMatchObject({ status: 408, body: { error: { code: 'request_timeout' } } });
});

test.each([
  ['/api/usage', 'POST', 'GET'],
  ['/api/usage', 'HEAD', 'GET'],
  ['/api/usage', 'OPTIONS', 'GET'],
  ['/api/companies/search', 'GET', 'POST'],
  ['/api/observations/lookup', 'GET', 'POST'],
  ['/api/observations/search', 'DELETE', 'POST'],
  ['/api/companies/12', 'POST', 'GET'],
  ['/api/companies/%31', 'POST', 'GET'],
  ['/api/usages', 'DELETE', 'GET, POST'],
  ['/api/usage/statement', 'POST', 'GET'],
  ['/', 'POST', 'GET, HEAD'],
])('%s does not accept %s and names the accepted ones', async (path, method, allow) => {
  const response = await fetch(gateway.url + path, { method });
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe(allow);
});

test('an expectation that is not known is left unmet, not refused', async () => {
  expect((await sendRaw(gateway.port, `GET / HTTP/1.1\r\n${HOST}Expect: magic\r\n\r\n`)).status).toBe(200);
});

const SECURITY = {
  'content-security-policy': expect.stringContaining("default-src 'none'"),
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

test.each([
  ['/', 'GET', 200],
  ['/docs', 'GET', 200],
  ['/docs/reference', 'GET', 200],
  ['/openapi.json', 'HEAD', 200],
  ['/sources', 'GET', 200],
  ['/nothing', 'GET', 404],
  ['/assets/reference/nothing', 'GET', 404],
  ['/api/usage', 'GET', 401],
  ['/api/usage', 'DELETE', 405],
  ['/mcp', 'POST', 403],
  [`/${'a'.repeat(9_000)}`, 'GET', 414],
  ['/api/%zz', 'GET', 400],
])('the answer to %s %s has security headers, and no other origin can read it', async (path, method, status) => {
  const response = await fetch(gateway.url + path, { method, headers: { origin: 'https://page.example' } });
  expect(response.status).toBe(status);
  expect(Object.fromEntries(response.headers)).toMatchObject(SECURITY);
  expect([...response.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
});

test('answers without a request have security headers, too', async () => {
  const { head } = await sendRaw(gateway.port, 'GARBAGE\r\n\r\n');
  for (const name of Object.keys(SECURITY)) expect(head).toContain(`\r\n${name}: `);
});

test('CORS is off by default: a preflight is a method that is not allowed', async () => {
  const preflight = { origin: 'https://page.example', 'access-control-request-method': 'POST' };
  const response = await fetch(`${gateway.url}/api/companies/search`, { method: 'OPTIONS', headers: preflight });
  expect(response.status).toBe(405);
  expect([...response.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
});
