import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { FastifyInstance } from 'fastify';
import type { Scope } from '../admission/scope.ts';
import type { ErrorCode } from '../schema/error.ts';
import { traceRequests } from './tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; undefined before authentication and outside /api. */
    principal: Principal | undefined;
    /** Leaves the account's calls in flight; undefined before it was entered. */
    leave: (() => void) | undefined;
    traceparent: string;
  }
  interface FastifyContextConfig {
    /** The code of input that the route refuses. */
    refusal?: ErrorCode;
    /** Present on a deprecated route: what to call instead. */
    successor?: string | undefined;
    /** What the credential must be allowed; absent: any may call. */
    scope?: Scope | undefined;
  }
}

export function decorateRequests(app: FastifyInstance): void {
  traceRequests(app);
  app.decorateRequest('principal', undefined);
  app.decorateRequest('leave', undefined);
  app.decorateRequest('traceparent', '');
}
