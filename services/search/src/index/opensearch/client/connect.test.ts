import { mkdtemp, readFile, rm } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { FailureCode, failureOf } from '@ces/chassis/rpc/failure';
import { createLogger, type Logger } from '@ces/chassis/telemetry/log';
import { createAuthority } from '@ces/test/support/certificates.ts';
import { Code } from '@connectrpc/connect';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectOpenSearch, type OpenSearchSettings } from './connect.ts';
import { OpenSearchRefusal } from './failures.ts';

const WRITER = { openSearchUser: 'writer', openSearchPassword: 'hunter2' };

let stack: AsyncDisposableStack;
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

async function node(answer: (request: http.IncomingMessage) => Answer | undefined, tls?: https.ServerOptions) {
  const seen: string[] = [];
  const listener: http.RequestListener = (request, response) => {
    seen.push(`${request.method} ${request.url}`);
    request.resume();
    const given = answer(request);
    if (!given) return void request.socket.destroy();
    response.writeHead(given.status, { 'content-type': 'application/json' }).end(JSON.stringify(given.body ?? {}));
  };
  const server = tls ? https.createServer(tls, listener) : http.createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stack.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

function connect(nodes: readonly string[], options: Partial<OpenSearchSettings> = {}, logger?: Logger) {
  const settings = {
    openSearchUrl: nodes.join(','),
    openSearchUser: '',
    openSearchPassword: '',
    openSearchCaFile: '',
    openSearchTimeoutMs: 2_000,
    ...options,
  };
  const client = connectOpenSearch(settings, logger);
  stack.defer(() => client.close());
  return client;
}

async function failure(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

test('settings that do not go together are refused, each with a sentence', () => {
  const refused = (nodes: readonly string[], options: Partial<OpenSearchSettings> = {}) =>
    expect(() => connect(nodes, options));
  refused(['https://search.example'], { openSearchUser: 'writer' }).toThrow('are set together');
  refused(['http://127.0.0.1:9200'], { openSearchCaFile: 'ca.pem' }).toThrow('CES_SEARCH_OPENSEARCH_CA_FILE is set');
  for (const url of ['http://127.0.0.1:9200', 'http://localhost:9200', 'http://[::1]:9200', 'https://search.example'])
    connect([url]);
});

test('a read is tried once more, on another node, and a write is not', async () => {
  const away = await node(() => undefined);
  const there = await node(() => ({ status: 200, body: { count: 7 } }));
  expect((await connect([away.url, there.url]).count({ index: 'one' })).body.count).toBe(7);
  expect([away.seen.length, there.seen.length]).toEqual([1, 1]);
  const error = await failure(connect([away.url, there.url]).bulk({ body: [{ index: { _index: 'one' } }, {}] }));
  expect(error).toMatchObject({ code: Code.Unavailable });
  expect([away.seen.length, there.seen.length]).toEqual([2, 1]);
});

test.each([429, 502, 503, 504])('an answer of %i is unavailable', async (status) => {
  const busy = await node(() => ({ status, body: { error: { type: 'circuit_breaking_exception' }, status } }));
  const error = await failure(connect([busy.url]).count());
  expect(error).toMatchObject({ code: Code.Unavailable });
  expect(failureOf(error)?.code).toBe(FailureCode.SERVICE_UNAVAILABLE);
});

test('no answer in time is unavailable, and an engine that gave up is a deadline', async () => {
  const slow = http.createServer(() => undefined);
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  stack.defer(() => {
    slow.closeAllConnections();
    slow.close();
  });
  const client = connect([`http://127.0.0.1:${(slow.address() as AddressInfo).port}`], { openSearchTimeoutMs: 50 });
  expect(await failure(client.count())).toMatchObject({ code: Code.Unavailable });
  const cancelled = { type: 'search_phase_execution_exception', root_cause: [{ type: 'task_cancelled_exception' }] };
  const gaveUp = await node(() => ({ status: 500, body: { error: cancelled, status: 500 } }));
  expect(await failure(connect([gaveUp.url]).count())).toMatchObject({ code: Code.DeadlineExceeded });
});

test('a refusal says what was refused, and neither documents nor credentials', async () => {
  const refusing = await node(() => ({
    status: 400,
    body: { error: { type: 'parsing_exception', reason: 'unknown query [nope]' }, status: 400 },
  }));
  const client = connect([refusing.url], WRITER);
  const error = await failure(client.search({ index: 'one', body: { query: { match: { text: 'document text' } } } }));
  expect(error).toBeInstanceOf(OpenSearchRefusal);
  expect(error).toMatchObject({ status: 400, type: 'parsing_exception' });
  expect((error as Error).message).toBe(
    'OpenSearch answered 400 to POST /one/_search: parsing_exception, unknown query [nope]',
  );
  const away = connect(['http://127.0.0.1:1'], WRITER);
  const basic = Buffer.from('writer:hunter2').toString('base64');
  for (const said of [error, await failure(away.bulk({ body: [{ index: {} }, { text: 'document text' }] }))]) {
    const text = inspect(said, { depth: 20, showHidden: true });
    expect(text).not.toContain('document text');
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain(basic);
  }
});

test('the client identifies itself, and nodes are checked with the configured authority', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ces-opensearch-'));
  stack.defer(() => rm(folder, { recursive: true }));
  const authority = await createAuthority();
  const { certFile, keyFile, caFile } = await authority.issue(folder, ['127.0.0.1']);
  let authorization: string | undefined;
  const secure = await node(
    ({ headers }) => {
      authorization = headers.authorization;
      return { status: 200, body: { count: 1 } };
    },
    { cert: await readFile(certFile), key: await readFile(keyFile) },
  );
  expect(await failure(connect([secure.url], WRITER).count())).toMatchObject({ code: Code.Unavailable });
  expect(authorization).toBeUndefined();
  const trusting = { ...WRITER, openSearchCaFile: caFile };
  const client = connect([secure.url], trusting, createLogger('search', 'silent'));
  expect((await client.count()).body.count).toBe(1);
  expect(authorization).toBe(`Basic ${Buffer.from('writer:hunter2').toString('base64')}`);
  expect(() => connect([secure.url], { openSearchCaFile: `${caFile}.none` })).toThrow('CES_SEARCH_OPENSEARCH_CA_FILE');
});
