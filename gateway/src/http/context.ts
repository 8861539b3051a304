import { createCallMeter } from '@ces/chassis/telemetry/calls';
import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { FastifyInstance } from 'fastify';
import { type CountedCall, outcomeOfStatus } from '../outcome.ts';
import type { ErrorCode } from '../schema/error.ts';
import { hasLeft, onClosed } from './closing.ts';
import { traceRequests } from './tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined before authentication and outside /api. */
    principal: Principal | undefined;
    traceparent: string;
    /** Missing ones come from the route's `call` and the status. */
    counted: Partial<CountedCall> | undefined;
  }
  interface FastifyContextConfig {
    refusal?: ErrorCode;
    successor?: string | undefined;
    call?: Pick<CountedCall, 'surface' | 'action'>;
  }
}

export function decorateRequests(app: FastifyInstance): void {
  // Fastify takes the start time only for a hook like this; without it `elapsedTime` is always 0.
  app.addHook('onResponse', (_request, _reply, done) => done());
  traceRequests(app);
  app.decorateRequest('principal', undefined);
  app.decorateRequest('traceparent', '');
  countCalls(app);
}

/** A client that leaves counts as a client error. */
function countCalls(app: FastifyInstance): void {
  const measure = createCallMeter();
  app.decorateRequest('counted', undefined);
  onClosed(app, ({ counted, method, routeOptions }, reply) => {
    const { call } = routeOptions.config;
    if (!call || method === 'OPTIONS') return;
    const outcome = hasLeft(reply) ? 'client' : (counted?.outcome ?? outcomeOfStatus(reply.statusCode));
    measure({ mode: 'front', ...call, ...counted, outcome }, reply.elapsedTime / 1_000);
  });
}
