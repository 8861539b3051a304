import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { seeded } from '../../support/random.ts';
import { type FaultyProxy, startProxy } from './proxy.ts';

let proxy: FaultyProxy;
let client: net.Socket;
let heard: string;
let answered: string;

beforeEach(async () => {
  heard = '';
  answered = '';
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      heard += chunk;
      socket.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy = await startProxy((server.address() as net.AddressInfo).port, seeded('proxy'));
  client = net.connect(proxy.port, '127.0.0.1');
  client.on('data', (chunk) => {
    answered += chunk;
  });
  return async () => {
    client.destroy();
    await proxy[Symbol.asyncDispose]();
    await new Promise((resolve) => server.close(resolve));
  };
});
test('a half-open connection swallows what is sent without a sign, and is reset when it is over', async () => {
  client.write('a');
  await expect.poll(() => answered, { timeout: 10_000 }).toBe('a');
  proxy.fault = { kind: 'half open' };
  const reset = once(client, 'error');
  client.write('b');
  await expect.poll(() => proxy.dropped(), { timeout: 10_000 }).toBe(1);
  expect([heard, answered, client.destroyed]).toEqual(['a', 'a', false]);
  proxy.fault = { kind: 'none' };
  expect((await reset)[0]).toMatchObject({ code: 'ECONNRESET' });
  expect(heard).toBe('a');
});

test('a connection that lost nothing while it was half open goes on', async () => {
  client.write('a');
  await expect.poll(() => answered, { timeout: 10_000 }).toBe('a');
  proxy.fault = { kind: 'half open' };
  proxy.fault = { kind: 'none' };
  client.write('b');
  await expect.poll(() => answered, { timeout: 10_000 }).toBe('ab');
});

test('a late connection delivers every answer as late as the first, in order', async () => {
  proxy.fault = { kind: 'delay', ms: 300 };
  const began = performance.now();
  for (const byte of 'abcdef') {
    client.write(byte);
    await pause(20);
  }
  proxy.fault = { kind: 'none' };
  client.write('g');
  await expect.poll(() => answered, { timeout: 10_000 }).toBe('abcdefg');
  expect(performance.now() - began).toBeGreaterThan(380);
  expect(performance.now() - began).toBeLessThan(1_200);
});

test('a silent connection delivers what is sent and answers nothing', async () => {
  proxy.fault = { kind: 'silence' };
  client.write('a');
  await expect.poll(() => heard, { timeout: 10_000 }).toBe('a');
  expect(answered).toBe('');
});

test('a lost connection stays silent when the fault is over, and neither side is told; a new one works', async () => {
  client.write('a');
  await expect.poll(() => answered, { timeout: 10_000 }).toBe('a');
  proxy.fault = { kind: 'lost' };
  client.write('b');
  await expect.poll(() => proxy.dropped(), { timeout: 10_000 }).toBe(1);
  const second = net.connect(proxy.port, '127.0.0.1');
  second.write('c');
  expect(String((await once(second, 'data'))[0])).toBe('c');
  second.destroy();
  proxy.fault = { kind: 'none' };
  client.write('d');
  await expect.poll(() => proxy.dropped(), { timeout: 10_000 }).toBe(2);
  expect([heard, answered, client.destroyed]).toEqual(['ac', 'a', false]);
});
