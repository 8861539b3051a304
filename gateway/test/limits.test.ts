import { EventEmitter, once } from 'node:events';
import net from 'node:net';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { LOOPBACK } from '@ces/chassis/test-support/loopback';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startGateway } from '../test-support/gateway.ts';
import { modernMessage } from '../test-support/mcp-client.ts';
import { AT, answerOf, OTHER_TOKEN, searched, TOKEN, usageReport } from '../test-support/peers.ts';

const search = { method: 'POST', requestKey: 'k', json: { query: 'bids' } };
const SEARCH = '/api/companies/search';

const nothingFound = { case: 'observationSearch', value: { asOf: AT, retrieval: 1 } } as const;

const OTHER = { authorization: `Bearer ${OTHER_TOKEN}` };

function toolCall() {
  const { json, headers } = modernMessage('tools/call', {
    name: 'search_companies',
    arguments: { request_key: 'k', query: 'bids' },
  });
  return { method: 'POST', json, headers: { accept: 'application/json, text/event-stream', ...headers } };
}

function slowOperation() {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const entries = new EventEmitter();
  const state = { entered: 0, aborted: 0, left: 0 };
  return {
    finish,
    state,
    untilEntered: async (nth: number) => void (await once(entries, String(nth))),
    async submitCompanySearch(_request: unknown, context: { readonly signal: AbortSignal }) {
      state.entered += 1;
      entries.emit(String(state.entered));
      context.signal.addEventListener('abort', () => {
        if (state.left === 0) state.aborted += 1;
      });
      await finished;
      state.left += 1;
      return { answer: answerOf(searched) };
    },
  };
}

/** Sends the head of a call and a part of its body, and does not wait for the gateway. */
async function beginCall(port: number, body: string, length = body.length): Promise<net.Socket> {
  const socket = net.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const head = `POST ${SEARCH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\nIdempotency-Key: k\r\n`;
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`);
  return socket;
}

test('a client that hangs up changes nothing in its operation, and its call counts until it ends', async () => {
  const slow = slowOperation();
  await using gateway = await startGateway({ operations: slow }, { config: { accountCallsInFlight: 1 } });
  const socket = await beginCall(gateway.port, JSON.stringify(search.json));
  await expect.poll(() => slow.state.entered).toBe(1);
  socket.destroy();
  for (let n = 0; n < 5; n += 1) expect((await gateway.call(SEARCH, search)).status).toBe(503);
  slow.finish();
  await expect.poll(() => slow.state.left).toBe(1);
  expect(slow.state.aborted).toBe(0);
  await expect.poll(async () => (await gateway.call(SEARCH, search)).status).toBe(200);
});

test('a client that disconnects in the middle of its body leaves no resources in use', async () => {
  const operations = { submitCompanySearch: () => ({ answer: answerOf(searched) }) };
  await using gateway = await startGateway({ operations }, { config: { accountCallsInFlight: 1 } });
  const socket = await beginCall(gateway.port, '{', 500);
  await expect.poll(async () => (await gateway.call(SEARCH, search)).status).toBe(503);
  socket.destroy();
  await expect.poll(async () => (await gateway.call(SEARCH, search)).status).toBe(200);
});

test('calls in hand end before the gateway does, and new ones are refused', async () => {
  const slow = slowOperation();
  const gateway = await startGateway({ operations: slow });
  const inHand = gateway.call(SEARCH, search);
  await expect.poll(() => slow.state.entered).toBe(1);
  const closed = gateway[Symbol.asyncDispose]();
  await expect.poll(() => fetch(gateway.url).catch(() => 'refused')).toBe('refused');
  slow.finish();
  expect((await inHand).status).toBe(200);
  await closed;
});

test('more calls a second than a credential has are 429 rate_limited with Retry-After', async () => {
  const operations = { submitCompanySearch: () => ({ answer: answerOf(searched) }) };
  const config = { credentialBurst: 2, credentialCallsPerSecond: 1 };
  await using gateway = await startGateway({ operations }, { config, now: () => 0 });
  for (const status of [200, 200, 429]) {
    const response = await gateway.call(SEARCH, search);
    expect(response.status).toBe(status);
    if (status !== 429) continue;
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.json()).toMatchObject({ error: { code: 'rate_limited', retry_after_seconds: 1 } });
  }
});

/** A clock that is stopped too: no call waits for longer than its limit on a slow machine. */
const STOPPED = () => 0;

/**
 * Stops the timers of the test and the gateway. The limiter releases slots of long calls by a
 * timer, which must not fire on a slow machine. Polling would advance the timers.
 */
function stopTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
}

test('an account that fills its slots waits, and another one is answered at once', async () => {
  stopTimers();
  const slow = slowOperation();
  const filled = slow.untilEntered(6);
  const operations = { ...slow, submitObservationSearch: () => ({ answer: answerOf(nothingFound) }) };
  await using gateway = await startGateway({ operations }, { config: { maxConcurrentCalls: 8 }, now: STOPPED });
  const filling = Array.from({ length: 6 }, () => gateway.call(SEARCH, search));
  await filled;
  const waiting = [gateway.call(SEARCH, search), gateway.call('/mcp', toolCall())];
  const others = [];
  const ofOther = { ...search, headers: OTHER };
  for (let n = 0; n < 5; n += 1) others.push((await gateway.call('/api/observations/search', ofOther)).status);
  const { entered } = slow.state;
  slow.finish();
  expect({ entered, others }).toEqual({ entered: 6, others: [200, 200, 200, 200, 200] });
  for (const answer of await Promise.all([...filling, ...waiting])) expect(answer.status).toBe(200);
  expect(slow.state.left).toBe(8);
});

test('free reads are answered while searches of the same account have every slot and others wait for one', async () => {
  stopTimers();
  const slow = slowOperation();
  const filled = slow.untilEntered(6);
  const operations = { ...slow, getOperation: () => ({ answer: answerOf(searched) }) };
  const ledger = { getUsageReport: () => usageReport };
  await using gateway = await startGateway({ operations, ledger }, { config: { maxConcurrentCalls: 8 }, now: STOPPED });
  const searches = Array.from({ length: 20 }, () => gateway.call(SEARCH, search));
  await filled;
  const paths = Array.from({ length: 24 }, (_, n) => (n % 2 === 0 ? '/api/usage' : `/api/usages/${n}`));
  const reads = await Promise.all(paths.map((path) => gateway.call(path)));
  const { entered } = slow.state;
  slow.finish();
  expect(reads.map(({ status }) => status)).toEqual(Array(24).fill(200));
  expect(entered).toBe(6);
  for (const answer of await Promise.all(searches)) expect(answer.status).toBe(200);
});

test.each(['REST', 'MCP'])('%s: 64 calls that wait for one search are all let in, the 65th is 503', async (surface) => {
  stopTimers();
  const pending = { answer: answerOf({ case: 'pending', value: {} }), waiting: true };
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const { promise: full, resolve: fill } = Promise.withResolvers<void>();
  let waiting = 0;
  const operations = {
    submitCompanySearch: () => pending,
    async getOperation() {
      waiting += 1;
      if (waiting === 64) fill();
      await finished;
      return { answer: answerOf(searched) };
    },
  };
  const config = { maxConcurrentCalls: 2, rejectionDelayMs: 0 };
  await using gateway = await startGateway({ operations }, { config, now: STOPPED });
  const call = () => (surface === 'REST' ? gateway.call(SEARCH, search) : gateway.call('/mcp', toolCall()));
  const calls = Array.from({ length: 64 }, call);
  await full;
  const refused = await gateway.call(SEARCH, search);
  finish();
  expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining('calls in flight')]);
  for (const answer of await Promise.all(calls)) {
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('companies');
  }
});

test.each(['REST', 'MCP'])('%s: an accepted search is pending while its end cannot be read', async (surface) => {
  const operations = {
    submitCompanySearch: () => ({ answer: answerOf({ case: 'pending', value: {} }), waiting: true }),
    getOperation() {
      throw fail(FailureCode.SERVICE_UNAVAILABLE, 'away');
    },
  };
  await using gateway = await startGateway({ operations });
  const answer = await (surface === 'REST' ? gateway.call(SEARCH, search) : gateway.call('/mcp', toolCall()));
  expect(answer.status).toBe(surface === 'REST' ? 202 : 200);
  const body = await answer.text();
  expect(body).toContain('pending');
  expect(body).not.toContain('service_unavailable');
});

test('a rejection for too many calls is delayed, over REST and MCP', async () => {
  const slow = slowOperation();
  const config = { accountCallsInFlight: 1, rejectionDelayMs: 400 };
  await using gateway = await startGateway({ operations: slow }, { config });
  const first = gateway.call(SEARCH, search);
  await expect.poll(() => slow.state.entered).toBe(1);
  const begun = performance.now();
  const [refused, tool] = await Promise.all([gateway.call(SEARCH, search), gateway.call('/mcp', toolCall())]);
  expect(performance.now() - begun).toBeGreaterThanOrEqual(199);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
  expect(await tool.text()).toContain('service_unavailable');
  slow.finish();
  expect((await first).status).toBe(200);
  expect((await gateway.call(SEARCH, search)).status).toBe(200);
});

test('bad keys of an address are 429 when there are too many, also when they come together; a good one is answered', async () => {
  const operations = { getOperation: () => ({ answer: answerOf(searched) }) };
  await using gateway = await startGateway({ operations }, { config: { addressFailuresPerSecond: 2 }, now: () => 0 });
  const wrong = { headers: { authorization: 'Bearer wrong' } };
  const paths = ['/api/usage', '/api/usages/1', '/api/usage', '/mcp', '/api/usage'];
  const method = (path: string) => (path === '/mcp' ? 'POST' : 'GET');
  const answers = await Promise.all(paths.map((path) => gateway.call(path, { ...wrong, method: method(path) })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([401, 401, 429, 429, 429]);
  expect((await gateway.call('/api/usages/1')).status).toBe(200);
  expect((await gateway.call('/api/nothing', wrong)).status).toBe(404);
});

test('an address is the client of a trusted proxy', async () => {
  const config = { addressFailuresPerSecond: 1, trustedProxies: ['127.0.0.1'] };
  await using gateway = await startGateway({}, { config, now: () => 0 });
  const from = async (address: string) =>
    (await gateway.call('/api/usage', { headers: { authorization: '', 'x-forwarded-for': address } })).status;
  expect([await from('192.0.2.1'), await from('192.0.2.1'), await from('192.0.2.2')]).toEqual([401, 429, 401]);
  // The port does not matter, and all invalid addresses count as one.
  expect([await from('192.0.2.1:4711'), await from('192.0.2.1:4712')]).toEqual([429, 429]);
  expect([await from('one'), await from('another'), await from('x'.repeat(300))]).toEqual([401, 429, 429]);
});

test('on :: the server accepts both families, and networks of trusted proxies may be of either', async () => {
  const config = { host: '::', addressFailuresPerSecond: 1, trustedProxies: ['127.0.0.0/8', '::1'] };
  await using gateway = await startGateway({}, { config, now: () => 0 });
  const from = async (host: string, address: string) => {
    const headers = { 'x-forwarded-for': address };
    return (await fetch(`http://${host}:${gateway.port}/api/usage`, { headers })).status;
  };
  for (const [n, host] of LOOPBACK.entries()) {
    expect((await fetch(`http://${host}:${gateway.port}/`)).status).toBe(200);
    const [one, other] = [`192.0.2.${2 * n}`, `192.0.2.${2 * n + 1}`];
    expect([await from(host, one), await from(host, one), await from(host, other)]).toEqual([401, 429, 401]);
  }
});

test('an operation polled too often is 429 rate_limited', async () => {
  const operations = { getOperation: () => ({ answer: answerOf(searched) }) };
  await using gateway = await startGateway({ operations }, { config: { pollsPerSecond: 1 }, now: () => 0 });
  expect((await gateway.call('/api/usages/1')).status).toBe(200);
  expect((await gateway.call('/api/usages/1')).status).toBe(429);
  expect((await gateway.call('/api/usages/2')).status).toBe(200);
});

test('services that are gone are 503 service_unavailable with Retry-After', async () => {
  const operations = { submitCompanySearch: () => ({ answer: answerOf(searched) }) };
  await using gateway = await startGateway({ operations });
  expect((await gateway.call(SEARCH, search)).status).toBe(200);
  await gateway.cutPeers();
  const response = await gateway.call(SEARCH, search);
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('2');
});

test('a credential that operations refuses is 401 like any other', async () => {
  const operations = {
    submitCompanySearch: () => {
      throw fail(FailureCode.INVALID_API_KEY, 'revoked');
    },
  };
  await using gateway = await startGateway({ operations });
  const response = await gateway.call(SEARCH, search);
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toBe('Bearer');
});

test('pages of a configured origin may call, others get no header of it', async () => {
  const origin = 'https://app.example';
  await using gateway = await startGateway({}, { config: { corsOrigins: [origin] } });
  const preflight = { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } };
  const allowed = await fetch(gateway.url + SEARCH, preflight);
  expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
  expect(allowed.headers.get('access-control-allow-headers')).toContain('Idempotency-Key');
  const refused = await gateway.call('/api/usage', { headers: { authorization: '', origin } });
  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, origin]);
  const other = await gateway.call('/', { headers: { origin: 'https://evil.example' } });
  expect(other.headers.get('access-control-allow-origin')).toBeNull();
  expect(other.headers.get('vary')).toContain('Origin');
});
