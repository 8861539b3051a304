import http2 from 'node:http2';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** How long the body of a unary call may take to arrive, in milliseconds; what streams has its deadline. */
const ARRIVAL_LIMIT_MS = 20_000;

/** How long a caller that is answered may go on sending, in milliseconds: until the answer has reached it. */
const LEAVE_MS = 200;

/** Requests as they arrive, over HTTP/2 or, where TLS allows it, HTTP/1.1. */
type Raw = FastifyRequest['raw'] & { readonly stream?: http2.ServerHttp2Stream };

/**
 * Bounds what arrives in time: a caller that names no deadline gets the longest, and a body that does not come whole in
 * time, or that nobody waits for any more since the answer is out, ends with its stream.
 */
export function boundArrival(streamingPaths: ReadonlySet<string>, longestMs: number) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const raw: Raw = request.raw;
    nameDeadline(raw.headers, longestMs);
    const limit = streamingPaths.has(raw.url ?? '') ? longestMs : ARRIVAL_LIMIT_MS;
    const late = setTimeout(() => end(raw, http2.constants.NGHTTP2_CANCEL), limit);
    raw.once('end', () => clearTimeout(late));
    reply.raw.once('close', () => clearTimeout(late));
    (raw.stream ?? reply.raw).once('finish', () => {
      if (!raw.complete) setTimeout(() => end(raw, http2.constants.NGHTTP2_NO_ERROR), LEAVE_MS).unref();
    });
    done();
  };
}

function nameDeadline(headers: Raw['headers'], longestMs: number): void {
  const name = headers['content-type']?.startsWith('application/grpc') ? 'grpc-timeout' : 'connect-timeout-ms';
  headers[name] ??= name === 'grpc-timeout' ? `${longestMs}m` : String(longestMs);
}

function end(raw: Raw, code: number): void {
  if (raw.stream) raw.stream.close(code);
  else raw.destroy();
}
