import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** From now on every connection ends with its next answer. */
    drain(): void;
  }
}

/** How long a connection may still bring a call when the server has begun to close, in milliseconds. */
const GRACE_MS = 250;
/** How long a client may take to read what was answered whole when the server has begun to close, in milliseconds; twice as long at most. */
const READ_MS = 10_000;

/**
 * Ends connections while the server closes: those in a call when it is answered, all others after a moment. Node itself
 * ends none that has never carried a call, or has begun to send one, and waits for the client instead. After
 * `drain()` calls are still answered, each with the end of its connection, so that clients go to another process.
 */
export function endConnectionsWhenClosing(app: FastifyInstance, isSecure: boolean, readMs = READ_MS): void {
  const calls = new Map<Socket, Set<ServerResponse>>();
  let draining = false;
  let closing = false;
  app.decorate('drain', () => {
    draining = true;
  });
  // The sockets that requests know; one that has not shaken hands is ended by the bound on that.
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
    // Node takes a connection for idle once its answer was handed over, and would cut what a slow client has not read yet.
    const closeIdle = app.server.closeIdleConnections.bind(app.server);
    app.server.closeIdleConnections = () => {
      if (![...calls.values()].some(({ size }) => size > 0)) closeIdle();
    };
    // Timers come before sockets: what has arrived meanwhile is read first.
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

/** Ends those whose answers were all handed over by the time before: a client that never reads must not hold up the end. */
function createEndUnread(calls: Calls): () => void {
  const unread = new Set<Socket>();
  return () => {
    for (const [socket, responses] of calls) {
      if (unread.has(socket)) socket.destroy();
      else if ([...responses].every(({ writableEnded }) => writableEnded)) unread.add(socket);
    }
  };
}
