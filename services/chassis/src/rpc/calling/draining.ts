import { subscribe } from 'node:diagnostics_channel';
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';

type Ping = (answered: (error: Error | null, durationMs: number, payload: Buffer) => void) => boolean;

const NOTHING = Buffer.alloc(8);
const kept = new WeakSet<ClientHttp2Session>();

/**
 * Keeps the calls of a connection whose server sent GOAWAY. From then on Node refuses to ping, and
 * `@grpc/grpc-js` takes that for a lost connection and fails every open call (grpc/grpc-node#3068).
 *
 * This patch treats such a ping as answered; the calls still have their deadlines.
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
