import http2 from 'node:http2';
import { type ContextValues, createContextKey, createContextValues, type HandlerContext } from '@connectrpc/connect';
import { endUnlessWhole, type RawRequest } from './serving/arrival.ts';

const requestKey = createContextKey<RawRequest | undefined>(undefined, { description: 'the request of a call' });

/** Keeps with a call the request that it came by. */
export function withPeer(request: RawRequest): ContextValues {
  return createContextValues().set(requestKey, request);
}

/** The address of the other end of a call's connection, a proxy's where one is between; undefined where it has none, or is gone. */
export function addressOf(context: HandlerContext): string | undefined {
  return context.values.get(requestKey)?.socket.remoteAddress;
}

/** Ends a call of which the message is not whole, so that its caller knows that nothing was begun and it may be sent again. */
export function refuseUnread(context: HandlerContext): void {
  const request = context.values.get(requestKey);
  if (request) endUnlessWhole(request, http2.constants.NGHTTP2_REFUSED_STREAM);
}
