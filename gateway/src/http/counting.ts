import { createCallMeter } from '@ces/chassis/telemetry/calls';
import type { FastifyInstance } from 'fastify';
import { outcomeOfStatus } from '../outcome.ts';
import { hasLeft, onClosed } from './closing.ts';

/** Counts what subscribers call, by what it came to; a client that left before its answer has refused it itself. */
export function countCalls(app: FastifyInstance): void {
  const measure = createCallMeter();
  app.decorateRequest('counted', undefined);
  onClosed(app, ({ counted, method, routeOptions }, reply) => {
    const { call } = routeOptions.config;
    if (!call || method === 'OPTIONS') return;
    const outcome = hasLeft(reply) ? 'client' : (counted?.outcome ?? outcomeOfStatus(reply.statusCode));
    measure({ mode: 'front', ...call, ...counted, outcome }, reply.elapsedTime / 1_000);
  });
}
