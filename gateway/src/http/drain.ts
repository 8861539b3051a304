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

/**
 * Ends connections while the server closes: those in a call when it is answered, all others after a moment. Node itself
 * ends none that has never carried a call, or has begun to send one, and waits for the client instead. After
 * `drain()` calls are still answered, each with the end of its connection, so that clients go to another process.
 */
export function endConnectionsWhenClosing(app: FastifyInstance, isSecure: boolean): void {
  const calls = new Map<Socket, number>();
  let draining = false;
  let closing = false;
  app.decorate('drain', () => {
    draining = true;
  });
  // The sockets that requests know; one that has not shaken hands is ended by the bound on that.
  app.server.on(isSecure ? 'secureConnection' : 'connection', (socket: Socket) => {
    calls.set(socket, 0);
    socket.once('close', () => calls.delete(socket));
  });
  app.server.on('request', ({ socket }, response) => {
    const before = calls.get(socket);
    if (before === undefined) return;
    calls.set(socket, before + 1);
    if (draining && !response.headersSent) response.setHeader('connection', 'close');
    response.once('close', () => {
      const left = (calls.get(socket) ?? 1) - 1;
      if (calls.has(socket)) calls.set(socket, left);
      if (closing && left === 0) socket.destroySoon();
    });
  });
  app.addHook('preClose', async () => {
    draining = true;
    closing = true;
    // Node takes a connection for idle once its answer was handed over, and would cut what a slow client has not read yet.
    const closeIdle = app.server.closeIdleConnections.bind(app.server);
    app.server.closeIdleConnections = () => {
      if (![...calls.values()].some((count) => count > 0)) closeIdle();
    };
    // Timers come before sockets: what has arrived meanwhile is read first.
    const timer = setTimeout(() => setImmediate(() => endIdle(calls)), GRACE_MS);
    app.server.once('close', () => clearTimeout(timer));
  });
  app.addHook('onSend', async (_request, reply) => {
    if (draining) reply.header('connection', 'close');
  });
}

function endIdle(calls: ReadonlyMap<Socket, number>): void {
  for (const [socket, count] of calls) if (count === 0) socket.destroy();
}
