import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Resolves also when the client leaves, which Fastify's `onResponse` does not report. */
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
