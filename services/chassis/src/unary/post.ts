import type { DescMethodUnary } from '@bufbuild/protobuf';
import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';
import { codeFromHttpStatus, errorFromJsonBytes } from '@connectrpc/connect/protocol-connect';
import { errors, Pool } from 'undici';
import { codecOf, type UnaryCodec } from './methods.ts';

export interface PosterOptions {
  /** Base address of the service. */
  readonly url: string;
  /** Bytes of a message at most, there and back. */
  readonly maxBytes: number;
  /** Connections at most. */
  readonly connections: number;
}

/** Nothing is read from an answer beside its message. */
const NONE = new Headers();

/** Sends a message and waits for the answer. A peer that is not there or breaks off is Unavailable. */
export function createPoster(options: PosterOptions): ReturnType<Interceptor> {
  const pool = new Pool(options.url, {
    connections: options.connections,
    maxResponseSize: options.maxBytes,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const codecs = new Map<DescMethodUnary, UnaryCodec>();
  const codecFor = (method: DescMethodUnary) => {
    const codec = codecs.get(method) ?? codecOf(method, options.maxBytes);
    codecs.set(method, codec);
    return codec;
  };
  return async (request) => {
    if (request.stream) throw new ConnectError('not a unary call', Code.Internal);
    const { method, signal } = request;
    const codec = codecFor(method);
    const body = codec.input.serialize(request.message);
    const path = new URL(request.url).pathname;
    const answer = await arrived(pool.request({ path, method: 'POST', headers: request.header, body, signal }), signal);
    const bytes = await arrived(answer.body.bytes(), signal);
    if (answer.statusCode !== 200) throw refusalOf(answer.statusCode, bytes);
    const message = codec.output.parse(bytes);
    return { stream: false, service: method.parent, method, header: NONE, trailer: NONE, message };
  };
}

function refusalOf(status: number, bytes: Uint8Array): ConnectError {
  return errorFromJsonBytes(bytes, undefined, new ConnectError(`HTTP ${status}`, codeFromHttpStatus(status)));
}

async function arrived<T>(coming: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await coming;
  } catch (error) {
    if (signal.aborted) throw ConnectError.from(signal.reason, Code.Canceled);
    const code = error instanceof errors.ResponseExceededMaxSizeError ? Code.ResourceExhausted : Code.Unavailable;
    throw new ConnectError(code === Code.Unavailable ? 'not reachable' : 'the answer is too big', code, {}, [], error);
  }
}
