import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { FastifyInstance } from 'fastify';
import type { CountedCall } from '../outcome.ts';
import type { ErrorCode } from '../schema/error.ts';
import { countCalls } from './counting.ts';
import { traceRequests } from './tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; undefined before authentication and outside /api. */
    principal: Principal | undefined;
    traceparent: string;
    /** What the call turned out to be; the rest is what its route says, and its outcome that of its status. */
    counted: Partial<CountedCall> | undefined;
  }
  interface FastifyContextConfig {
    /** The code of input that the route refuses. */
    refusal?: ErrorCode;
    /** Present on a deprecated route: what to call instead. */
    successor?: string | undefined;
    /** Present on what subscribers call: how it is counted. */
    call?: Pick<CountedCall, 'surface' | 'action'>;
  }
}

export function decorateRequests(app: FastifyInstance): void {
  traceRequests(app);
  app.decorateRequest('principal', undefined);
  app.decorateRequest('traceparent', '');
  countCalls(app);
}
