import { Code, ConnectError } from '@connectrpc/connect';
import type { connectNodeAdapter } from '@connectrpc/connect-node';

/** Requests and answers of HTTP/1.1 or HTTP/2, as the general adapter takes them. */
export type NodeHandler = ReturnType<typeof connectNodeAdapter>;
export type NodeRequest = Parameters<NodeHandler>[0];
export type NodeResponse = Parameters<NodeHandler>[1];

/** The headers as interceptors read them, without the pseudo-headers of HTTP/2. */
export function headersOf(request: NodeRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined && !name.startsWith(':'))
      headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  return headers;
}

/** The whole body; refuses with ResourceExhausted as soon as it is known to have more than `maxBytes`. */
export function readBody(request: NodeRequest, maxBytes: number): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const chunks: Buffer[] = [];
  let length = 0;
  const tooBig = () => reject(new ConnectError(`a message has at most ${maxBytes} bytes`, Code.ResourceExhausted));
  const breakOff = (cause?: Error) => {
    if (!request.complete) reject(new ConnectError('the request broke off', Code.Canceled, {}, [], cause));
  };
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= maxBytes) chunks.push(chunk);
    else tooBig();
  });
  request.once('end', () => resolve(bytesOf(chunks)));
  request.once('error', breakOff);
  request.once('close', breakOff);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) tooBig();
  return promise;
}

/** Plain bytes: fields of a message must not turn into buffers, whose `slice` is another. */
function bytesOf(chunks: readonly Buffer[]): Uint8Array {
  const { buffer, byteOffset, byteLength } = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
  return new Uint8Array(buffer, byteOffset, byteLength);
}
