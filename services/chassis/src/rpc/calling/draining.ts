import { subscribe } from 'node:diagnostics_channel';
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';

type Ping = (answered: (error: Error | null, durationMs: number, payload: Buffer) => void) => boolean;

const NOTHING = Buffer.alloc(8);
const kept = new WeakSet<ClientHttp2Session>();

/**
 * After GOAWAY Node refuses to ping, and `@grpc/grpc-js` then fails every open call of the
 * connection (grpc/grpc-node#3068). This patch treats the ping as answered.
 */
export function keepCallsOfDrainingConnections(): void {
  subscribe('http2.client.stream.created', (message) => {
    const { session } = (message as { readonly stream: ClientHttp2Stream }).stream;
    if (!session || kept.has(session as ClientHttp2Session)) return;
    kept.add(session as ClientHttp2Session);
    keepCalls(session as ClientHttp2Session);
  });
}

function keepCalls(session: ClientHttp2Session): void {
  const ping = session.ping.bind(session) as Ping;
  const pingUnlessDraining: Ping = (answered) => {
    if (!session.closed || session.destroyed) return ping(answered);
    setImmediate(answered, null, 0, NOTHING);
    return true;
  };
  session.ping = pingUnlessDraining as typeof session.ping;
}
