import { createCallMeter } from '@ces/chassis/telemetry/calls';
import type { FastifyInstance } from 'fastify';
import { outcomeOfStatus } from '../outcome.ts';
import { hasLeft, onClosed } from './closing.ts';

/** A client that leaves before its answer counts as a client error. */
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
