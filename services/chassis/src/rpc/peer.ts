import http2 from 'node:http2';
import { type ContextValues, createContextKey, createContextValues, type HandlerContext } from '@connectrpc/connect';
import { type RawRequest, resetUnlessComplete } from './serving/receive-timeout.ts';

const requestKey = createContextKey<RawRequest | undefined>(undefined, { description: 'the request of a call' });

export function peerContext(request: RawRequest): ContextValues {
  return createContextValues().set(requestKey, request);
}

/** May be a proxy's; undefined once the connection is gone. */
export function addressOf(context: HandlerContext): string | undefined {
  return context.values.get(requestKey)?.socket.remoteAddress;
}

/** REFUSED_STREAM allows the caller to retry safely (RFC 9113 §8.7). */
export function refuseIncomplete(context: HandlerContext): void {
  const request = context.values.get(requestKey);
  if (request) resetUnlessComplete(request, http2.constants.NGHTTP2_REFUSED_STREAM);
}
