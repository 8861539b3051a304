import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from './gateway.ts';
import { sendRaw } from './raw.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({}, { config: { requestTimeoutMs: 300 } });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

const HOST = 'Host: x\r\nConnection: close\r\n';

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
  ['a long address', `GET /${'a'.repeat(9_000)} HTTP/1.1\r\n${HOST}\r\n`, 414, 'uri_too_long'],
  ['a long path parameter', `GET /api/usages/${'1'.repeat(8_500)} HTTP/1.1\r\n${HOST}\r\n`, 414, 'uri_too_long'],
  ['an address that fills the head', `GET /${'a'.repeat(40_000)} HTTP/1.1\r\n${HOST}\r\n`, 414, 'uri_too_long'],
  ['large headers', `GET / HTTP/1.1\r\n${HOST}X-Long: ${'a'.repeat(40_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ['many headers', `GET / HTTP/1.1\r\n${HOST}${'a: b\r\n'.repeat(20_000)}\r\n`, 431, 'headers_too_large'],
  ['a head that does not end', 'GET / HTTP/1.1\r\nHost: x\r\nX-', 408, 'request_timeout'],
  ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'method_not_allowed'],
  ['an unknown route', `GET /api/nothing HTTP/1.1\r\n${HOST}\r\n`, 404, 'not_found'],
  ['a route with a slash too many', `GET /api/usage/ HTTP/1.1\r\n${HOST}\r\n`, 404, 'not_found'],
  ['an unknown method', `PROPFIND /api/usage HTTP/1.1\r\n${HOST}\r\n`, 405, 'method_not_allowed'],
])('%s ends in the Error body', async (_name, bytes, status, code) => {
  const answer = await sendRaw(gateway.port, bytes);
  expect(answer).toMatchObject({ status, body: { error: { code, message: expect.any(String) } } });
  expect(answer.head).toMatch(/^x-request-id: [0-9a-f-]{36}$/m);
  expect(answer.head).toMatch(/^content-type: application\/json/m);
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
  ['/api/usages', 'GET', 'POST'],
  ['/', 'POST', 'GET, HEAD'],
])('%s does not take %s and says what it takes', async (path, method, allow) => {
  const response = await fetch(gateway.url + path, { method });
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe(allow);
});

test('an expectation that is not known is left unmet, not refused', async () => {
  expect((await sendRaw(gateway.port, `GET / HTTP/1.1\r\n${HOST}Expect: magic\r\n\r\n`)).status).toBe(200);
});

test('security headers stand on every answer', async () => {
  for (const path of ['/', '/api/usage', '/nothing']) {
    const { headers } = await fetch(gateway.url + path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  }
});
