import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** Ends every connection with its next answer (`Connection: close`). */
    drain(): void;
  }
}

/** How long a connection may still bring a call once the server closes, in milliseconds. */
const GRACE_MS = 250;
/**
 * How long a client may take to read a complete answer after the server starts to close, in
 * milliseconds. The check runs at this interval, so the real bound is up to twice as long.
 */
const READ_MS = 10_000;

/**
 * Ends connections while the server closes: busy ones after their answer, idle ones after
 * `GRACE_MS`. Node does not end a connection that has never carried a call or is sending one; it
 * waits for the client. After `drain()` calls are still answered, each with `Connection: close`, so
 * that clients move to another process.
 */
export function endConnectionsWhenClosing(app: FastifyInstance, isSecure: boolean, readMs = READ_MS): void {
  const calls = new Map<Socket, Set<ServerResponse>>();
  let draining = false;
  let closing = false;
  app.decorate('drain', () => {
    draining = true;
  });
  // Requests refer to this socket; the handshake timeout ends a TLS connection before that.
  app.server.on(isSecure ? 'secureConnection' : 'connection', (socket: Socket) => {
    calls.set(socket, new Set());
    socket.once('close', () => calls.delete(socket));
  });
  app.server.on('request', ({ socket }, response) => {
    const responses = calls.get(socket);
    if (responses === undefined) return;
    responses.add(response);
    if (draining && !response.headersSent) response.setHeader('connection', 'close');
    response.once('close', () => {
      responses.delete(response);
      if (closing && responses.size === 0) socket.destroySoon();
    });
  });
  app.addHook('preClose', async () => {
    draining = true;
    closing = true;
    // Node treats a connection as idle once its answer is written, and would cut off a slow reader.
    const closeIdle = app.server.closeIdleConnections.bind(app.server);
    app.server.closeIdleConnections = () => {
      if (![...calls.values()].some(({ size }) => size > 0)) closeIdle();
    };
    // The event loop runs timers before it polls sockets, so `setImmediate` reads arrived requests.
    const timer = setTimeout(() => setImmediate(() => endIdle(calls)), GRACE_MS);
    const reading = setInterval(createEndUnread(calls), readMs);
    app.server.once('close', () => {
      clearTimeout(timer);
      clearInterval(reading);
    });
  });
  app.addHook('onSend', async (_request, reply) => {
    if (draining) reply.header('connection', 'close');
  });
}

type Calls = ReadonlyMap<Socket, ReadonlySet<ServerResponse>>;

function endIdle(calls: Calls): void {
  for (const [socket, { size }] of calls) if (size === 0) socket.destroy();
}

/**
 * Ends connections whose answers were all complete at the previous run. A client that never reads
 * must not block the shutdown.
 */
function createEndUnread(calls: Calls): () => void {
  const unread = new Set<Socket>();
  return () => {
    for (const [socket, responses] of calls) {
      if (unread.has(socket)) socket.destroy();
      else if ([...responses].every(({ writableEnded }) => writableEnded)) unread.add(socket);
    }
  };
}
