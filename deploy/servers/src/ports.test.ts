import net, { type AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { askedPort, freePort } from './ports.ts';

let holder: net.Server;
let held: number;

beforeEach(async () => {
  holder = net.createServer();
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
  held = (holder.address() as AddressInfo).port;
});

afterEach(() => {
  holder.close();
});

test('a port in use gives way to the next free one', async () => {
  expect(await freePort(held)).toBeGreaterThan(held);
});

test('a port that was given away already is not given twice', async () => {
  const first = await freePort(0);
  expect(await freePort(first, new Set([first]))).toBeGreaterThan(first);
});

test('a port in use that was asked for is refused in one sentence', async () => {
  await expect(askedPort(held)).rejects.toThrow(
    `port ${held} is in use: end the process that holds it, or choose another`,
  );
});

test('asking for port 0 means any', async () => {
  expect(await askedPort(0)).toBeGreaterThan(0);
});
