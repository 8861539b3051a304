import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Resolves when the answer was handed over or the client has left: Fastify's `onResponse` knows the first of the two alone. */
export async function untilClosed({ raw }: FastifyReply): Promise<void> {
  if (raw.closed) return;
  await new Promise<void>((resolve) => {
    raw.once('close', resolve);
  });
}

/** Whether the client has left before its answer was handed over. */
export function hasLeft({ raw }: FastifyReply): boolean {
  return raw.closed && !raw.writableFinished;
}

/** Calls `observe` for each request once it is closed. */
export function onClosed(app: FastifyInstance, observe: (request: FastifyRequest, reply: FastifyReply) => void): void {
  app.addHook('onRequest', (request, reply, done) => {
    void untilClosed(reply).then(() => observe(request, reply));
    done();
  });
}
