import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { FastifyInstance } from 'fastify';
import type { CountedCall } from '../outcome.ts';
import type { ErrorCode } from '../schema/error.ts';
import { countCalls } from './counting.ts';
import { traceRequests } from './tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined before authentication and outside /api. */
    principal: Principal | undefined;
    traceparent: string;
    /** Labels found during the call. Missing ones come from the route's `call` and the status. */
    counted: Partial<CountedCall> | undefined;
  }
  interface FastifyContextConfig {
    refusal?: ErrorCode;
    successor?: string | undefined;
    call?: Pick<CountedCall, 'surface' | 'action'>;
  }
}

export function decorateRequests(app: FastifyInstance): void {
  traceRequests(app);
  app.decorateRequest('principal', undefined);
  app.decorateRequest('traceparent', '');
  countCalls(app);
}
