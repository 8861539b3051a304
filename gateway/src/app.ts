import type { Logger } from '@ces/chassis/telemetry/log';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { admit, delayRejection } from './admission/admit.ts';
import type { Authenticate } from './admission/authenticate.ts';
import { CallLimits } from './admission/call-limits.ts';
import { TooManyCalls } from './admission/delayed-rejection.ts';
import type { Config } from './config.ts';
import { setAnswerHeaders } from './http/answer-headers.ts';
import { acceptJsonOnly, checkMediaType } from './http/body.ts';
import { addressTooLong } from './http/bounds.ts';
import { allowOrigin } from './http/cors.ts';
import { errorAnswering } from './http/errors.ts';
import { RouteTable } from './http/route-table.ts';
import { createServer } from './http/server.ts';
import { type McpParts, registerMcp } from './mcp/register-mcp.ts';
import type { Tool } from './mcp/tool.ts';
import { PublicError } from './output/public-error.ts';
import { registerRoute } from './rest/register-api.ts';
import type { Route } from './rest/route.ts';

export interface AppParts {
  readonly config: Config;
  readonly logger: Logger;
  readonly authenticate: Authenticate;
  readonly routes: readonly Route[];
  readonly tools: readonly Tool[];
  /** Milliseconds that never go back. */
  readonly now: () => number;
  /** Routes that need no credential. */
  readonly registerPages: (app: FastifyInstance) => void;
  /** Looks at every answer of a route before it leaves; tests pass a check against the schemas. */
  readonly inspect?: ((route: Route, status: number, body: string) => void) | undefined;
  readonly createMcpServer?: McpParts['createMcpServer'];
}

/**
 * The public interface. The order of hooks is the order of checks (decisions.md): transport, flood, route and method,
 * credential, subscription, limits; then media type, size and JSON; then the handler looks at key and shape.
 */
export function createApp(parts: AppParts): FastifyInstance {
  const { config, logger } = parts;
  const limits = new CallLimits(config, parts.now);
  const table = new RouteTable();
  const answerError = errorAnswering(config, logger);
  const app = createServer(config, answerError);

  acceptJsonOnly(app);
  app.setErrorHandler(async (error, request, reply) => {
    if (error instanceof PublicError && error.status === 401) limits.countFailedAuthentication(request.ip);
    if (error instanceof TooManyCalls) await delayRejection(request, limits);
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
    checkTransport(request, config);
    limits.checkAddress(request.ip);
    if (allowOrigin(request, reply, config.corsOrigins)) return reply;
    table.check(request);
  });
  app.addHook('onSend', async (request) => request.leave?.());
  app.addHook('onResponse', async (request, reply) => logCall(logger, request, reply.statusCode, reply.elapsedTime));

  parts.registerPages(app);
  app.register(async (api) => {
    api.addHook('onRequest', async (request) => {
      await admit(request, { authenticate: parts.authenticate, limits });
      if (request.method === 'POST') checkMediaType(request);
    });
    for (const route of parts.routes) registerRoute(api, route, { limits, inspect: parts.inspect });
  });
  registerMcp(app, { ...parts, limits });
  return app;
}

function checkTransport({ raw }: FastifyRequest, config: Config): void {
  if ((raw.url ?? '').length > config.uriLimitBytes) throw addressTooLong(config);
  if (raw.headers.host === undefined && raw.httpVersion === '1.1')
    throw new PublicError('invalid_request', 'The Host header is missing.', { status: 400 });
}

function logCall(logger: Logger, request: FastifyRequest, status: number, elapsedMs: number): void {
  const { id, method, routeOptions, principal } = request;
  logger.info(
    {
      request_id: id,
      method,
      route: routeOptions.url,
      status,
      ms: Math.round(elapsedMs),
      ...(principal && { account_id: String(principal.accountId), credential_id: String(principal.credentialId) }),
    },
    'call',
  );
}
