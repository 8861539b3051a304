import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CallLimits } from '../admission/call-limits.ts';
import { appendHeader } from '../http/answer-headers.ts';
import { QueryParameters } from '../input/query.ts';
import { requestKeyOf } from '../input/request-key.ts';
import { requireValue } from '../output/values.ts';
import type { Call, Route } from './route.ts';

interface RegisterOptions {
  readonly limits: CallLimits;
  readonly inspect: ((route: Route, status: number, body: string) => void) | undefined;
}

/** Puts a route on the server; its handler sees a Call and returns an HttpAnswer, and knows nothing of Fastify. */
export function registerRoute(app: FastifyInstance, route: Route, { limits, inspect }: RegisterOptions): void {
  const { method, url, endpoint } = route;
  app.route({
    method,
    url,
    config: { endpoint },
    handler: async (request, reply) => {
      if (!endpoint.query) QueryParameters.parse(request.raw.url ?? '', []);
      const { status, body, headers = {} } = await route.handle(callOf(request, limits));
      const { link, ...others } = headers;
      if (link !== undefined) appendHeader(reply, 'link', link);
      return reply.status(status).headers(others).send(body);
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
    takePoll: (operationId) => limits.takePoll(principal.accountId, operationId),
    isGone: () => request.raw.socket.destroyed,
    rpc: { headers: { traceparent: request.traceparent, 'x-request-id': request.id } },
  };
}
