import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import { type ContextValues, createContextKey, createContextValues, type HandlerContext } from '@connectrpc/connect';

const addressKey = createContextKey<() => string | undefined>(() => undefined, {
  description: 'where the connection of a call comes from',
});

/** Keeps with a call where its connection comes from; it is looked up for whoever asks. */
export function withPeer(request: Pick<IncomingMessage | Http2ServerRequest, 'socket'>): ContextValues {
  return createContextValues().set(addressKey, () => request.socket.remoteAddress);
}

/** The address of the other end of a call's connection, a proxy's where one is between; undefined where it has none, or is gone. */
export function addressOf(context: HandlerContext): string | undefined {
  return context.values.get(addressKey)();
}
