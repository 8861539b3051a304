import { once } from 'node:events';
import http2 from 'node:http2';

/** The default session memory is too small to send a message that exceeds the server's limit. */
const SESSION_MEGABYTES = 128;

export interface WireAnswer {
  readonly head: http2.IncomingHttpHeaders;
  readonly messages: readonly Buffer[];
  /** Absent: the head ended the stream (Trailers-Only). */
  readonly trailers: http2.IncomingHttpHeaders | undefined;
}

/** A gRPC client written on HTTP/2 frames, independent of the libraries of the servers. */
export interface WireConnection extends AsyncDisposable {
  call(path: string, body: Buffer, headers?: Readonly<Record<string, string>>): Promise<WireAnswer>;
  /** Sends these bytes and keeps the request body open, even after the answer. */
  begin(path: string, body: Buffer): Promise<WireAnswer>;
  readonly goneAway: Promise<unknown>;
}

export async function connectWire(url: string): Promise<WireConnection> {
  const session = http2.connect(url, { maxSessionMemory: SESSION_MEGABYTES });
  const goneAway = once(session, 'goaway');
  // Avoids an unhandled rejection when no caller awaits it.
  goneAway.catch(() => undefined);
  await once(session, 'connect');
  session.on('error', () => session.destroy());
  const open = (path: string, headers: Readonly<Record<string, string>>) =>
    session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...headers,
    });
  return {
    goneAway,
    async call(path, body, headers = {}) {
      const stream = open(path, headers);
      const answered = answerOf(stream);
      stream.end(body);
      const answer = await answered;
      // Clients cancel like this when the answer arrives before the request is sent.
      stream.close(http2.constants.NGHTTP2_CANCEL);
      return answer;
    },
    async begin(path, body) {
      const stream = open(path, {});
      const answered = answerOf(stream);
      stream.write(body);
      return await answered;
    },
    async [Symbol.asyncDispose]() {
      session.destroy();
    },
  };
}

/** A length-prefixed message of gRPC: no compression, four bytes of length. */
export function framed(message: Uint8Array): Buffer {
  return Buffer.concat([prefix(message.length), message]);
}

export function prefix(bytes: number): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes, 1);
  return head;
}

/** The status of a call: in the trailers, or in the head of a Trailers-Only response. */
export function statusOf({ head, trailers }: WireAnswer): http2.IncomingHttpHeaders {
  return trailers ?? head;
}

async function answerOf(stream: http2.ClientHttp2Stream): Promise<WireAnswer> {
  let head: http2.IncomingHttpHeaders = {};
  let trailers: http2.IncomingHttpHeaders | undefined;
  const chunks: Buffer[] = [];
  stream.on('response', (headers) => (head = headers));
  stream.on('trailers', (headers) => (trailers = headers));
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  // The `close` event follows and rejects.
  stream.on('error', () => undefined);
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  stream.once('end', resolve);
  stream.once('close', () => reject(new Error(`the stream was reset with ${stream.rstCode}`)));
  await ended;
  return { head, trailers, messages: messagesIn(Buffer.concat(chunks)) };
}

function messagesIn(body: Buffer): readonly Buffer[] {
  const messages: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    if (body[at] !== 0) throw new Error('the message is compressed, which was not offered');
    const end = at + 5 + body.readUInt32BE(at + 1);
    messages.push(body.subarray(at + 5, end));
    at = end;
  }
  return messages;
}
