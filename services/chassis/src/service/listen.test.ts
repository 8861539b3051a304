import http from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { LOOPBACK } from '../../test-support/loopback.ts';
import { startAdminServer } from './admin-server.ts';
import { listen, urlOf } from './listen.ts';

const cleanup: (() => PromiseLike<unknown>)[] = [];
afterEach(async () => {
  for (const close of cleanup.splice(0)) await close();
});

test('on :: probes are answered over every family that the machine has', async () => {
  const admin = await startAdminServer('::', 0, { readiness: () => ({ ready: true, why: 'test' }) });
  cleanup.push(() => admin[Symbol.asyncDispose]());
  const { port } = new URL(admin.url);
  expect(LOOPBACK).toContain('127.0.0.1');
  for (const host of LOOPBACK) expect((await fetch(`http://${host}:${port}/readyz`)).status).toBe(200);
  expect((await fetch(`${admin.url}/livez`)).status).toBe(200);
});

test.each(['127.0.0.1', ...LOOPBACK.filter((host) => host.startsWith('['))])(
  'on %s no other address is listened on',
  async (host) => {
    const server = http.createServer((_, response) => response.end());
    await listen(server, host.replace(/[[\]]/g, ''), 0);
    cleanup.push(() => new Promise((resolve) => server.close(resolve)));
    const url = urlOf('http', host.replace(/[[\]]/g, ''), server);
    expect(url).toMatch(`http://${host}:`);
    expect((await fetch(url, { headers: { connection: 'close' } })).status).toBe(200);
    for (const other of LOOPBACK.filter((each) => each !== host))
      await expect(fetch(url.replace(host, other))).rejects.toThrow();
  },
);

test('a port that is taken is an error, on :: too', async () => {
  const [first, second] = [http.createServer(), http.createServer()];
  await listen(first, '::', 0);
  cleanup.push(() => new Promise((resolve) => first.close(resolve)));
  const { port } = new URL(urlOf('http', '::', first));
  await expect(listen(second, '::', Number(port))).rejects.toThrow(/EADDRINUSE/);
});
