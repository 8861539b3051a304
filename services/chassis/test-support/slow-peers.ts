import net from 'node:net';

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const SETTINGS = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
/** A HEADERS frame of stream 1 without END_HEADERS. */
const HALF_HEADERS = Buffer.from([0, 0, 1, 1, 0, 0, 0, 0, 1, 0x82]);
const HEAD =
  'POST /ces.ledger.v1.LedgerService/Authenticate HTTP/1.1\r\nhost: x\r\ncontent-type: application/proto\r\n';

export const SLOW_PEERS = {
  'says nothing': '',
  'begins a head of HTTP/1.1': 'GET / HTTP/1.1\r\nhost: x\r\nx-',
  'begins the preface of HTTP/2': PREFACE.slice(0, 10),
  'sends the preface of HTTP/2 and no settings': PREFACE,
  'begins a head of HTTP/2': Buffer.concat([Buffer.from(PREFACE), SETTINGS, HALF_HEADERS]),
  'begins a body that it has no token for': `${HEAD}content-length: 100\r\n\r\nx`,
  'begins a body that it has a token for': `${HEAD}x-ces-caller-token: token-of-operations\r\ncontent-length: 100\r\n\r\nx`,
} as const satisfies Readonly<Record<string, string | Buffer>>;

/** Sends `bytes` and then nothing; resolves when the server closes the connection. */
export function untilLeft(url: string, bytes: string | Buffer): Promise<void> {
  const { hostname, port } = new URL(url);
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = net.connect(Number(port), hostname, () => socket.write(bytes));
  socket.on('error', () => undefined).resume();
  socket.once('close', () => resolve());
  return promise;
}
