import { once } from 'node:events';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { refusal } from '../test-support/answers.ts';
import { type Act, startScriptedServer } from '../test-support/scripted-server.ts';
import { CesClient, type CesClientOptions, CesError } from './index.ts';

const API_KEY = `ces_live_${'a1B2'.repeat(9)}zz`;

async function failureOf(options: Partial<CesClientOptions>): Promise<CesError> {
  const client = new CesClient({ baseUrl: 'http://gateway.example', apiKey: API_KEY, maxAttempts: 1, ...options });
  const failure = await client.getUsage().then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure instanceof CesError) return failure;
  throw new Error('it did not fail with a CesError', { cause: failure });
}

test('no error holds the API key, whatever the fetch in between says of the request', async () => {
  const failure = await failureOf({
    fetch: async (_, init) => {
      const inner = Object.assign(new Error(`no mock for ${inspect(init)}`), { code: 'ENOMOCK', request: init });
      throw new TypeError('fetch failed', { cause: inner });
    },
  });
  expect(failure.code).toBe('connection_failed');
  expect(failure.cause).toMatchObject({ name: 'TypeError', message: 'fetch failed', cause: { code: 'ENOMOCK' } });
  expect(inspect(failure, { depth: 10, showHidden: true })).not.toContain(API_KEY);
});

test('no error holds the API key that an answer repeats as its code', async () => {
  await using server = await startScriptedServer(refusal(422, `Bearer ${API_KEY}`));
  expect(inspect(await failureOf({ baseUrl: server.url }), { depth: 10 })).not.toContain(API_KEY);
});

test('an answer that does not end is given up at its bound, long before the time for an answer is over', async () => {
  const endless: Act = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const chunk = 'a'.repeat(1 << 20);
    const write = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', write);
    write();
  };
  await using server = await startScriptedServer(endless);
  const failure = await failureOf({ baseUrl: server.url, timeoutMs: 30_000 });
  expect(failure.code).toBe('unexpected_answer');
  expect(failure.message).toContain('longer than 32 MiB');
});

test('a fetch that does not look at its signal is left when the time is over', async () => {
  const failure = await failureOf({ timeoutMs: 20, fetch: () => new Promise<Response>(() => undefined) });
  expect(failure.message).toBe('GET /api/usage was not answered within 20 ms: try again.');
});

test('waits that no clock can hold are no waits', async () => {
  await using server = await startScriptedServer(refusal(503, 'service_unavailable', { retry_after_seconds: 1e308 }));
  expect(await failureOf({ baseUrl: server.url })).toMatchObject({ retryAt: undefined, retryAfterMs: undefined });
  await using other = await startScriptedServer(refusal(503, 'service_unavailable', { retry_after_seconds: -5 }));
  expect((await failureOf({ baseUrl: other.url })).retryAfterMs).toBe(0);
});

test('a signal that is aborted while the body comes ends the call with its reason', async () => {
  const started = new AbortController();
  const slow: Act = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"usage":', () => started.abort());
  };
  await using server = await startScriptedServer(slow);
  const call = new AbortController();
  const client = new CesClient({ baseUrl: server.url, apiKey: API_KEY });
  const usage = client.getUsage({ signal: call.signal });
  await once(started.signal, 'abort');
  call.abort(new Error('mine'));
  await expect(usage).rejects.toThrow('mine');
});
