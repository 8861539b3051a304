import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type AdmitParts, admit } from '../admission/admit.ts';
import type { CallLimits } from '../admission/call-limits.ts';
import { appendListHeader } from '../http/answer-headers.ts';
import { checkMediaType } from '../http/body.ts';
import { QueryParameters } from '../input/query.ts';
import { requestKeyOf } from '../input/request-key.ts';
import { outcomeOfAnswer } from '../outcome.ts';
import { requireValue } from '../output/values.ts';
import type { RunCall } from '../run-call.ts';
import type { Call, Route } from './route.ts';

export interface ApiParts extends AdmitParts {
  readonly routes: readonly Route[];
  readonly runCall: RunCall;
  /** Looks at every answer of a route before it leaves; tests pass a check against the schemas. */
  readonly inspect?: ((route: Route, status: number, body: string) => void) | undefined;
}

const STATUSES = { finished: 200, pending: 202, failed: 422 } as const;

/** The routes under /api, each behind the checks that every call passes. */
export function registerApi(app: FastifyInstance, parts: ApiParts): void {
  app.register(async (api) => {
    api.addHook('onRequest', async (request) => {
      await admit(request, parts, request.routeOptions.config.scope);
      if (request.method === 'POST') checkMediaType(request);
    });
    for (const route of parts.routes) registerRoute(api, route, parts);
  });
}

/** Puts a route on the server; its handler sees a Call and returns an Answer, and knows nothing of Fastify. */
function registerRoute(app: FastifyInstance, route: Route, { limits, runCall, inspect }: ApiParts): void {
  const { method, url, endpoint } = route;
  app.route({
    method,
    url,
    config: {
      refusal: endpoint.refusal,
      successor: endpoint.successor,
      scope: endpoint.scope,
      call: { surface: 'rest', action: endpoint.action },
    },
    handler: async (request, reply) => {
      if (!endpoint.query) QueryParameters.parse(request.raw.url ?? '', []);
      const call = callOf(request, limits);
      const answer = await runCall(call, () => route.handle(call));
      const { kind, body, headers } = answer;
      const mode = endpoint.action === 'usage' ? 'poll' : (request.counted?.mode ?? 'front');
      request.counted = { mode, outcome: outcomeOfAnswer(answer, mode) };
      const { link, ...others } = headers;
      if (link !== undefined) appendListHeader(reply, 'link', link);
      return reply.status(STATUSES[kind]).headers(others).send(body);
    },
    ...(inspect && {
      onSend: async (_request, reply, payload) => {
        inspect(route, reply.statusCode, String(payload));
        return payload;
      },
    }),
  });
}

function callOf(request: FastifyRequest, limits: CallLimits): Call {
  const principal = requireValue(request.principal, 'principal');
  return {
    principal,
    url: request.raw.url ?? '',
    params: request.params as Record<string, string>,
    body: request.body,
    requestKey: () => requestKeyOf(request.raw),
    asksForBackground: () => {
      request.counted = { mode: 'background' };
    },
    takePoll: (operationId) => limits.takePoll(principal.accountId, operationId),
    takePage: () => limits.takePage(principal.accountId),
    isGone: () => request.raw.socket.destroyed,
    rpc: { headers: { traceparent: request.traceparent, 'x-request-id': request.id } },
  };
}
