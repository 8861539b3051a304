import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../../../test-support/gateway.ts';
import { sendRaw } from '../../../test-support/raw-http.ts';

const SAME_ORIGIN = 'Sec-Fetch-Site: same-origin';

let folder: string;
let gateway: TestGateway;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'ces-sample-keys-'));
  const sampleKeysFile = path.join(folder, 'ready.json');
  await writeFile(sampleKeysFile, '{"credentials": {"builder": "ces_live_abc"}, "sample": true, "nats_url": "secret"}');
  gateway = await startGateway({}, { config: { sampleKeysFile } });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

async function ask(headers: readonly string[], version = '1.1', address = '/explore/sample-keys.json') {
  const head = [`GET ${address} HTTP/${version}`, ...headers, 'Connection: close', '', ''];
  return await sendRaw(gateway.port, head.join('\r\n'));
}

test.each(['127.0.0.1:8080', 'localhost', '[::1]:80', '[::ffff:127.0.0.1]'])(
  'the explorer finds the sample keys, and nothing else of their file, where a browser names this machine %s',
  async (host) => {
    const { status, head, body } = await ask([`Host: ${host}`, SAME_ORIGIN]);
    expect([status, body]).toEqual([200, { credentials: { builder: 'ces_live_abc' }, sample: true }]);
    expect(head).toContain('cache-control: no-store');
  },
);

test.each<[string, readonly string[]]>([
  ['a name that another site can have', ['Host: rebound.example', SAME_ORIGIN]],
  ['a name that begins like ours', ['Host: localhost.rebound.example', SAME_ORIGIN]],
  ['another site', ['Host: localhost', 'Sec-Fetch-Site: cross-site']],
  ['another port of this machine', ['Host: localhost', 'Sec-Fetch-Site: same-site']],
  ['what is no browser', ['Host: localhost']],
  ['two names', ['Host: localhost', 'Host: public.example', SAME_ORIGIN]],
])('%s gets no sample keys', async (_, headers) => {
  expect((await ask(headers)).status).toBe(404);
});

test.each([
  'X-Forwarded-For: 203.0.113.7',
  'X-Forwarded-Host: public.example',
  'X-Forwarded-Proto: https',
  'X-Forwarded-Server: proxy',
  'X-Real-IP: 203.0.113.7',
  'Forwarded: for=203.0.113.7',
  'Via: 1.1 proxy',
])('a call through a proxy on this machine gets no sample keys: %s', async (header) => {
  expect((await ask(['Host: 127.0.0.1', SAME_ORIGIN, header])).status).toBe(404);
});

test('a call with the headers of a proxy and not of a browser gets no sample keys', async () => {
  expect((await ask(['Host: 127.0.0.1', SAME_ORIGIN], '1.0')).status).toBe(404);
  const absolute = 'http://public.example/explore/sample-keys.json';
  expect((await ask(['Host: 127.0.0.1', SAME_ORIGIN], '1.1', absolute)).status).toBe(404);
});
