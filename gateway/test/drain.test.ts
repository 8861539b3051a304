import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../test-support/gateway.ts';

/** Far below the time that the gateway grants to calls in flight (DRAIN_LIMIT_MS). */
const SOON_MS = 5_000;
/** Longer than idle connections stay open after the server starts to close (GRACE_MS). */
const READ_LATER_MS = 600;
const clients: net.Socket[] = [];

afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
});

/** Sends `parts` from a client that never closes its side. */
async function connect(gateway: TestGateway, ...parts: string[]): Promise<net.Socket> {
  const client = net.connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true });
  clients.push(client);
  client.on('error', () => undefined);
  await once(client, 'connect');
  for (const part of parts) {
    client.write(part);
    if (part.endsWith('\r\n\r\n')) await once(client, 'data');
  }
  return client;
}

async function expectSoonClosed(gateway: TestGateway): Promise<void> {
  const late = new AbortController();
  const deadline = new Promise((resolve) => {
    const timer = setTimeout(resolve, SOON_MS, 'late');
    late.signal.addEventListener('abort', () => clearTimeout(timer));
  });
  const closed = gateway[Symbol.asyncDispose]().then(() => 'closed');
  expect(await Promise.race([closed, deadline])).toBe('closed');
  late.abort();
}

const CALL = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

test.each([
  ['sent nothing', []],
  ['sent half a head', ['GET / HTTP/1.1\r\nHo']],
  ['was answered and stayed', [CALL]],
  ['was answered and began anew', [CALL, 'GET / HT']],
])('a connection that %s does not delay the end of the gateway', async (_name, parts: string[]) => {
  const gateway = await startGateway({});
  await connect(gateway, ...parts);
  await expectSoonClosed(gateway);
});

test('connections that clients keep for later do not delay it', async () => {
  const gateway = await startGateway({});
  await Promise.all(Array.from({ length: 5 }, async () => (await fetch(gateway.url)).arrayBuffer()));
  await expectSoonClosed(gateway);
});

test('an answer that is being read when the gateway ends is read to its end', async () => {
  const gateway = await startGateway({});
  const page = await (await fetch(`${gateway.url}/docs/reference`)).text();
  const [script = ''] = /\/assets\/reference\/[^"]+/.exec(page) ?? [];
  const whole = (await (await fetch(gateway.url + script)).arrayBuffer()).byteLength;
  const client = await connect(gateway);
  client.write(`GET ${script} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const [head] = await once(client, 'data');
  client.pause();
  const closed = gateway[Symbol.asyncDispose]();
  await pause(READ_LATER_MS);
  let length = head.length - head.indexOf('\r\n\r\n') - 4;
  for await (const chunk of client) length += chunk.length;
  expect(length).toBe(whole);
  await closed;
});

test.each([
  ['its last calls are due', 50, 0],
  ['what is idle is ended', 0, 300],
])(
  'a call that arrived while the gateway was busy until after %s is answered',
  async (_name, drainDelayMs, laterMs) => {
    const gateway = await startGateway({}, { config: { drainDelayMs } });
    const client = await connect(gateway, CALL);
    const answered = once(client, 'data');
    const closed = gateway[Symbol.asyncDispose]();
    client.write(CALL);
    holdUp(drainDelayMs + laterMs + 100);
    expect(String((await answered)[0])).toContain('HTTP/1.1 200');
    await closed;
  },
);

/** Blocks the event loop. */
function holdUp(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}
