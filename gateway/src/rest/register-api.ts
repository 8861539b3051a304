import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type AdmitParts, admit } from '../admission/admit.ts';
import type { CallLimits } from '../admission/call-limits.ts';
import { appendListHeader } from '../http/answer-headers.ts';
import { checkMediaType, readJson } from '../http/body.ts';
import { QueryParameters } from '../input/query.ts';
import { requestKeyOf } from '../input/request-key.ts';
import { outcomeOfAnswer } from '../outcome.ts';
import type { Answer } from '../output/answer.ts';
import type { RunCall } from '../run-call.ts';
import { type Call, type Route, refusalOf } from './route.ts';

export interface ApiParts extends AdmitParts {
  readonly routes: readonly Route[];
  readonly runCall: RunCall;
  /** Tests pass a check of the schemas. */
  readonly inspect?: ((route: Route, status: number, body: string) => void) | undefined;
}

const STATUSES = { finished: 200, pending: 202, failed: 422 } as const;

export function registerApi(app: FastifyInstance, parts: ApiParts): void {
  app.register(async (api) => {
    for (const route of parts.routes) registerRoute(api, route, parts);
  });
}

/** Handlers do not depend on Fastify. */
function registerRoute(app: FastifyInstance, route: Route, parts: ApiParts): void {
  const { method, url, endpoint } = route;
  const { inspect } = parts;
  app.route({
    method,
    url,
    config: {
      refusal: refusalOf(endpoint),
      successor: endpoint.successor,
      call: { surface: 'rest', action: endpoint.action },
    },
    handler: async (request, reply) => {
      const answer = await answerCall(request, route, parts);
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

async function answerCall(request: FastifyRequest, route: Route, parts: ApiParts): Promise<Answer> {
  const { endpoint } = route;
  using admission = await admit(request, parts, endpoint.scope);
  const body = request.method === 'POST' ? await readJsonBody(request) : undefined;
  if (!endpoint.query) QueryParameters.parse(request.raw.url ?? '', []);
  const call = callOf(request, admission.principal, body, parts.limits);
  return await parts.runCall(endpoint.action, call, (releaseSlot) => route.handle({ ...call, releaseSlot }));
}

async function readJsonBody(request: FastifyRequest): Promise<unknown> {
  checkMediaType(request);
  return await readJson(request);
}

function callOf(
  request: FastifyRequest,
  principal: Principal,
  body: unknown,
  limits: CallLimits,
): Omit<Call, 'releaseSlot'> {
  return {
    principal,
    url: request.raw.url ?? '',
    params: request.params as Record<string, string>,
    body,
    requestKey: () => requestKeyOf(request.raw),
    asksForBackground: () => {
      request.counted = { mode: 'background' };
    },
    takePoll: (operationId) => limits.takePoll(principal.accountId, operationId),
    takePage: () => limits.takePage(principal.accountId),
    takeObservation: () => limits.takeObservation(principal.accountId),
    isGone: () => request.raw.socket.destroyed,
    rpc: { headers: { traceparent: request.traceparent, 'x-request-id': request.id } },
  };
}
