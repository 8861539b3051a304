import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** Every answer gets `Connection: close`. */
    drain(): void;
  }
}

/** A connection may still bring a call. */
const GRACE_MS = 250;
/**
 * A client may take this long to read a complete answer while the server closes. It is also the
 * interval, so the real bound is up to twice as long.
 */
const READ_MS = 10_000;

/**
 * Busy connections end after their answer, idle ones after `GRACE_MS`: Node waits for clients that
 * never sent a call. After `drain()` calls are still answered, so that clients move to another
 * process.
 */
export function endConnectionsWhenClosing(app: FastifyInstance, isSecure: boolean, readMs = READ_MS): void {
  const calls = new Map<Socket, Set<ServerResponse>>();
  let draining = false;
  let closing = false;
  app.decorate('drain', () => {
    draining = true;
  });
  // Requests refer to this socket.
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
    // Node would cut off a slow reader of a written answer.
    const closeIdle = app.server.closeIdleConnections.bind(app.server);
    app.server.closeIdleConnections = () => {
      if (![...calls.values()].some(({ size }) => size > 0)) closeIdle();
    };
    // Timers run before sockets are polled; `setImmediate` reads arrived requests.
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

/** A client that never reads must not block the shutdown. */
function createEndUnread(calls: Calls): () => void {
  const unread = new Set<Socket>();
  return () => {
    for (const [socket, responses] of calls) {
      if (unread.has(socket)) socket.destroy();
      else if ([...responses].every(({ writableEnded }) => writableEnded)) unread.add(socket);
    }
  };
}
