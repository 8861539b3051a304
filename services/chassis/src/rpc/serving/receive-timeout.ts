import http2 from 'node:http2';
import { parseTimeout as parseConnectTimeout } from '@connectrpc/connect/protocol-connect';
import { parseTimeout as parseGrpcTimeout } from '@connectrpc/connect/protocol-grpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { REQUEST_TIMEOUT_MS } from '../../service/http-timeouts.ts';

/** The longest silence before a stream's end; longer than its reader may be busy. */
const SILENCE_LIMIT_MS = 120_000;

export type RawRequest = FastifyRequest['raw'] & { readonly stream?: http2.ServerHttp2Stream };

/**
 * A unary body must arrive before its deadline, by default the longest. A stream must not fall
 * silent before its end.
 */
export function limitReceiveTime(streamingPaths: ReadonlySet<string>, longestMs: number) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const raw: RawRequest = request.raw;
    if (streamingPaths.has(raw.url ?? '')) boundSilence(raw);
    else boundWhole(raw, reply.raw, ensureDeadline(raw.headers, longestMs));
    done();
  };
}

function boundWhole(raw: RawRequest, answer: FastifyReply['raw'], deadlineMs: number): void {
  const late = setTimeout(() => resetUnlessComplete(raw), Math.min(deadlineMs, REQUEST_TIMEOUT_MS));
  (raw.stream ?? answer).once('close', () => clearTimeout(late));
}

function boundSilence(raw: RawRequest): void {
  // An HTTP/1.1 connection outlives the request and would retain it.
  raw.setTimeout(SILENCE_LIMIT_MS, () => resetUnlessComplete(raw));
}

export function resetUnlessComplete(raw: RawRequest, code: number = http2.constants.NGHTTP2_CANCEL): void {
  if (raw.complete) return;
  if (!raw.stream) return void raw.destroy();
  raw.stream.close(code);
  // Unread data would keep the stream and its session alive.
  raw.stream.destroy();
}

/** The longest deadline if it is missing. Invalid ones are refused later. */
function ensureDeadline(headers: RawRequest['headers'], longestMs: number): number {
  const isGrpc = headers['content-type']?.startsWith('application/grpc');
  const [name, parse] = isGrpc
    ? (['grpc-timeout', parseGrpcTimeout] as const)
    : (['connect-timeout-ms', parseConnectTimeout] as const);
  const named = headers[name];
  if (typeof named === 'string') return Math.min(longestMs, parse(named, longestMs).timeoutMs ?? longestMs);
  headers[name] = isGrpc ? `${longestMs}m` : String(longestMs);
  return longestMs;
}
