import http2 from 'node:http2';
import { parseTimeout as parseConnectTimeout } from '@connectrpc/connect/protocol-connect';
import { parseTimeout as parseGrpcTimeout } from '@connectrpc/connect/protocol-grpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ARRIVAL_LIMIT_MS } from '../../service/arrival.ts';

/** How long nothing may arrive of a stream that has not ended, in milliseconds: longer than its reader may be busy. */
const SILENCE_LIMIT_MS = 120_000;

/** Requests as they arrive, over HTTP/2 or, where TLS allows it, HTTP/1.1. */
export type RawRequest = FastifyRequest['raw'] & { readonly stream?: http2.ServerHttp2Stream };

/**
 * Bounds what arrives in time. A unary call that names no deadline gets the longest, and its body comes whole before; a
 * stream does not fall silent before it has ended.
 */
export function boundArrival(streamingPaths: ReadonlySet<string>, longestMs: number) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const raw: RawRequest = request.raw;
    if (streamingPaths.has(raw.url ?? '')) boundSilence(raw);
    else boundWhole(raw, reply.raw, ensureDeadline(raw.headers, longestMs));
    done();
  };
}

function boundWhole(raw: RawRequest, answer: FastifyReply['raw'], deadlineMs: number): void {
  const late = setTimeout(() => endUnlessWhole(raw), Math.min(deadlineMs, ARRIVAL_LIMIT_MS));
  (raw.stream ?? answer).once('close', () => clearTimeout(late));
}

function boundSilence(raw: RawRequest): void {
  // On the request: its connection over HTTP/1.1 outlives it, and would keep it.
  raw.setTimeout(SILENCE_LIMIT_MS, () => endUnlessWhole(raw));
}

/** By an error code of HTTP/2, where it came by that. */
export function endUnlessWhole(raw: RawRequest, code: number = http2.constants.NGHTTP2_CANCEL): void {
  if (raw.complete) return;
  if (!raw.stream) return void raw.destroy();
  raw.stream.close(code);
  // What has arrived and is never read would keep the stream, and its session with it.
  raw.stream.destroy();
}

/** The caller's deadline in milliseconds; the longest is set for it where it names none. What is no deadline is refused later. */
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
