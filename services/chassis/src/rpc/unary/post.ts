import type { DescMethodUnary } from '@bufbuild/protobuf';
import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';
import { createMethodUrl } from '@connectrpc/connect/protocol';
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

/** Where a method is reached, and its messages in binary form; made with the first call. */
interface Target {
  readonly path: string;
  readonly codec: UnaryCodec;
}

/** Nothing is read from an answer beside its message. */
const NONE = new Headers();

/** Sends a message and waits for the answer. A peer that is not there or breaks off is Unavailable. */
export function createPoster(options: PosterOptions): ReturnType<Interceptor> {
  const { origin, pathname: basePath } = new URL(options.url);
  const pool = new Pool(origin, {
    connections: options.connections,
    maxResponseSize: options.maxBytes,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const targets = new Map<DescMethodUnary, Target>();
  const targetOf = (method: DescMethodUnary) => {
    const known = targets.get(method) ?? {
      path: createMethodUrl(basePath, method),
      codec: codecOf(method, options.maxBytes),
    };
    targets.set(method, known);
    return known;
  };
  return async (request) => {
    if (request.stream) throw new ConnectError('not a unary call', Code.Internal);
    const { method, header: headers, signal } = request;
    const { path, codec } = targetOf(method);
    const body = codec.input.serialize(request.message);
    const answer = await arrived(pool.request({ path, method: 'POST', headers, body, signal }), signal);
    const bytes = await arrived(answer.body.bytes(), signal);
    if (answer.statusCode !== 200) throw refusalOf(answer.statusCode, bytes);
    const message = codec.output.parse(bytes);
    return { stream: false, service: method.parent, method, header: NONE, trailer: NONE, message };
  };
}

/** A refusal says one sentence; reading megabytes of them would hold up every other call. */
const LONGEST_REFUSAL = 65_536;

function refusalOf(status: number, bytes: Uint8Array): ConnectError {
  const plain = new ConnectError(`HTTP ${status}`, codeFromHttpStatus(status));
  return bytes.byteLength > LONGEST_REFUSAL ? plain : errorFromJsonBytes(bytes, undefined, plain);
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
