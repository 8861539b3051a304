import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * Resolves when the answer is sent or the client has left. Fastify's `onResponse` reports only the
 * first.
 */
export async function untilClosed({ raw }: FastifyReply): Promise<void> {
  if (raw.closed) return;
  await new Promise<void>((resolve) => {
    raw.once('close', resolve);
  });
}

export function hasLeft({ raw }: FastifyReply): boolean {
  return raw.closed && !raw.writableFinished;
}

export function onClosed(app: FastifyInstance, observe: (request: FastifyRequest, reply: FastifyReply) => void): void {
  app.addHook('onRequest', (request, reply, done) => {
    void untilClosed(reply).then(() => observe(request, reply));
    done();
  });
}
