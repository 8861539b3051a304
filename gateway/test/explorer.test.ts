import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startGateway } from '../test-support/gateway.ts';
import { sendRaw } from '../test-support/raw-http.ts';

const OWN_PAGE = 'sec-fetch-site: same-origin';

test('every screen of the explorer is one page, which loads only from its own origin', async () => {
  await using gateway = await startGateway({});
  for (const screen of ['', '/', '/look-up', '/observations/7', '/operations', '/operations/7', '/usage']) {
    const response = await fetch(`${gateway.url}/explore${screen}`);
    expect(response.status, screen).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).not.toContain('unsafe');
    expect(await response.text()).toContain('<div id="root">');
  }
  expect((await fetch(`${gateway.url}/explore/nothing`)).status).toBe(404);
});

test('its files are sent compressed and immutable, and are all files of its build', async () => {
  await using gateway = await startGateway({});
  const page = await (await fetch(`${gateway.url}/explore`)).text();
  const [, script = ''] = /src="(\/explore\/assets\/[^"]+\.js)"/.exec(page) ?? [];
  const response = await fetch(gateway.url + script, { headers: { 'accept-encoding': 'br' } });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-encoding')).toBe('br');
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  for (const file of [`${script}.br`, '/explore/assets/', '/explore/index.html', '/explore/.inputs'])
    expect((await fetch(gateway.url + file)).status, file).toBe(404);
});

test('keys of sample accounts go to our own page on this machine, and to no other', async () => {
  const sampleKeysFile = path.join(await mkdtemp(path.join(tmpdir(), 'ces-sample-keys-')), 'ready.json');
  await writeFile(
    sampleKeysFile,
    JSON.stringify({ credentials: { sandbox: 'a key' }, databases: { ledger: 'secret' } }),
  );
  await using gateway = await startGateway({}, { config: { sampleKeysFile } });
  const ask = (...headers: string[]) => {
    const head = ['GET /explore/sample-keys.json HTTP/1.1', ...headers, 'connection: close'];
    return sendRaw(gateway.port, `${head.join('\r\n')}\r\n\r\n`);
  };

  const own = await ask(`host: 127.0.0.1:${gateway.port}`, OWN_PAGE);
  expect(own.status).toBe(200);
  expect(own.body).toEqual({ credentials: { sandbox: 'a key' }, sample: false });
  expect(own.head).toContain('cache-control: no-store');

  expect((await ask('host: rebound.example', OWN_PAGE)).status).toBe(404);
  expect((await ask('host: 127.0.0.1', 'sec-fetch-site: cross-site')).status).toBe(404);
  expect((await ask('host: 127.0.0.1')).status).toBe(404);
});

test('where the operator names no file there are no sample keys', async () => {
  await using gateway = await startGateway({});
  const response = await fetch(`${gateway.url}/explore/sample-keys.json`, {
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  expect(response.status).toBe(404);
});
