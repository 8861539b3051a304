import { createCallMeter } from '@ces/chassis/telemetry/calls';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { outcomeOfStatus } from '../outcome.ts';

/** Counts what subscribers call, by what it came to; a client that left before its answer has refused it itself. */
export function countCalls(app: FastifyInstance): void {
  const measure = createCallMeter();
  app.decorateRequest('counted', undefined);
  app.addHook('onResponse', async ({ counted, method, routeOptions }, reply) => {
    const { call } = routeOptions.config;
    if (!call || method === 'OPTIONS') return;
    const outcome = hasLeft(reply) ? 'client' : (counted?.outcome ?? outcomeOfStatus(reply.statusCode));
    measure({ mode: 'front', ...call, ...counted, outcome }, reply.elapsedTime / 1_000);
  });
}

function hasLeft({ raw }: FastifyReply): boolean {
  return !raw.writableFinished && raw.destroyed;
}
