import { once } from 'node:events';
import http2 from 'node:http2';

/** Room for a message that no server takes: a session with less would refuse to send it. */
const SESSION_MEGABYTES = 128;

/** What came back on one stream, as the wire has it. */
export interface WireAnswer {
  readonly head: http2.IncomingHttpHeaders;
  /** Messages, without their frames. */
  readonly messages: readonly Buffer[];
  /** Absent: the head ended the stream. */
  readonly trailers: http2.IncomingHttpHeaders | undefined;
}

/** A connection that speaks gRPC by hand: frames of HTTP/2 and nothing that the servers are built from. */
export interface WireConnection extends AsyncDisposable {
  /** One call with these bytes as its body. */
  call(path: string, body: Buffer, headers?: Readonly<Record<string, string>>): Promise<WireAnswer>;
  /** One call whose body begins with these bytes and does not end, also when it is answered. */
  begin(path: string, body: Buffer): Promise<WireAnswer>;
  /** Resolves when the server has said that it takes no more calls. */
  readonly goneAway: Promise<unknown>;
}

export async function connectWire(url: string): Promise<WireConnection> {
  const session = http2.connect(url, { maxSessionMemory: SESSION_MEGABYTES });
  const goneAway = once(session, 'goaway');
  // Nobody has to wait for it.
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
      // As clients do whose request is still on its way when they are answered.
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

/** A message in its frame: not compressed, four bytes of length. */
export function framed(message: Uint8Array): Buffer {
  return Buffer.concat([prefix(message.length), message]);
}

/** What a message of `bytes` bytes begins with. */
export function prefix(bytes: number): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes, 1);
  return head;
}

/** Where the status stands: in the trailers, or in a head that is all there is. */
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
  // It closes after an error.
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
