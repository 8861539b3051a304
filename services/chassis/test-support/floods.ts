import http2 from 'node:http2';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const CHUNK = Buffer.alloc(1024 * 1024);
const BODY_MIB = 30;

/**
 * Sends bodies concurrently over one HTTP/2 connection; resolves with the gRPC statuses, or else
 * HTTP statuses.
 */
export async function floodHttp2(
  url: string,
  path: string,
  bodies: number,
  headers: http2.OutgoingHttpHeaders,
): Promise<string[]> {
  const session = http2.connect(url);
  session.on('error', () => undefined);
  const send = async () => {
    const stream = session.request({ ':method': 'POST', ':path': path, te: 'trailers', ...headers });
    let status = 'none';
    const take = (head: http2.IncomingHttpHeaders) => {
      status = String(head['grpc-status'] ?? head[':status'] ?? status);
    };
    stream.on('response', take).on('trailers', take).resume();
    await sendAll(stream);
    return status;
  };
  const statuses = await Promise.all(Array.from({ length: bodies }, send));
  session.destroy();
  return statuses;
}

async function sendAll(call: http2.ClientHttp2Stream): Promise<void> {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  call.once('close', resolve).on('error', () => undefined);
  const sent = pipeline(Readable.from(body()), call).catch(() => undefined);
  await closed;
  await sent;
}

function* body(): Generator<Buffer> {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(BODY_MIB * CHUNK.length, 1);
  yield prefix;
  for (let sent = 0; sent < BODY_MIB; sent += 1) yield CHUNK;
}
