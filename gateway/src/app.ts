import type { CallerLimits } from '@ces/chassis/limits/caller-limits';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CallLimits } from './admission/call-limits.ts';
import { TooManyCalls } from './admission/delayed-rejection.ts';
import { PublicError } from './errors/public-error.ts';
import { createAnswerError } from './http/answer-error.ts';
import { setAnswerHeaders } from './http/answer-headers.ts';
import { disableBodyParsing } from './http/body.ts';
import { addressTooLong, MAX_ADDRESS_BYTES } from './http/bounds.ts';
import { hasLeft, onClosed } from './http/closing.ts';
import { allowOrigin } from './http/cors.ts';
import { RouteTable } from './http/route-table.ts';
import { createServer } from './http/server.ts';
import { type McpParts, registerMcp } from './mcp/register-mcp.ts';
import { type PagesParts, registerPages } from './rest/pages/register-pages.ts';
import { type ApiParts, registerApi } from './rest/register-api.ts';

export interface AppParts extends PagesParts, Omit<ApiParts, 'limits'>, Omit<McpParts, 'limits'> {
  readonly callers: CallerLimits;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
}

/**
 * Hooks check transport, route and method, handlers the rest (gateway/docs/contract.md, Order of
 * checks), so that one scope acquires and releases slots.
 */
export function createApp(parts: AppParts): FastifyInstance {
  const { config, logger } = parts;
  const limits = new CallLimits(parts.callers, config, parts.now);
  const table = new RouteTable();
  const answerError = createAnswerError(logger);
  const app = createServer(config, answerError, logger);

  disableBodyParsing(app);
  app.setErrorHandler(async (error, request, reply) => {
    if (error instanceof TooManyCalls) await limits.delayRejection();
    answerError(error, request, reply);
    return reply;
  });
  app.setNotFoundHandler((request) => {
    table.check(request);
    throw new PublicError('not_found', 'There is nothing at this address.');
  });
  app.addHook('onRoute', (route) => table.add(route));
  app.addHook('onRequest', async (request, reply) => {
    setAnswerHeaders(request, reply);
    checkTransport(request);
    if (allowOrigin(request, reply, config.corsOrigins)) return reply;
    table.check(request);
  });
  onClosed(app, (request, reply) => logCall(logger, request, reply));

  registerPages(app, parts);
  registerApi(app, { ...parts, limits });
  registerMcp(app, { ...parts, limits });
  return app;
}

function checkTransport({ raw }: FastifyRequest): void {
  if ((raw.url ?? '').length > MAX_ADDRESS_BYTES) throw addressTooLong();
  if (raw.headers.host === undefined && raw.httpVersion === '1.1')
    throw new PublicError('invalid_request', 'The Host header is missing.', { status: 400 });
  // Clients and proxies would retry the 501 of RFC 9112 §6.1, and it would count as our fault.
  if ((raw.headers['transfer-encoding'] ?? 'chunked').trim().toLowerCase() !== 'chunked')
    throw new PublicError('invalid_request', 'Send the body with no transfer coding but chunked.', { status: 400 });
}

function logCall(logger: Logger, request: FastifyRequest, reply: FastifyReply): void {
  const { id, method, routeOptions, principal } = request;
  logger.info(
    {
      request_id: id,
      method,
      route: routeOptions.url,
      ...(hasLeft(reply) ? { left: true } : { status: reply.statusCode }),
      ms: Math.round(reply.elapsedTime),
      ...(principal && { account_id: String(principal.accountId), credential_id: String(principal.credentialId) }),
    },
    'call',
  );
}
