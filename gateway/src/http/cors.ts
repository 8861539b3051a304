import type { FastifyReply, FastifyRequest } from 'fastify';

const EXPOSED = [
  ...['Deprecation', 'Idempotent-Replayed', 'Link', 'Location', 'RateLimit', 'RateLimit-Policy'],
  ...['Retry-After', 'Units-Settled', 'Usage-Id', 'WWW-Authenticate', 'X-Request-Id', 'traceparent'],
].join(', ');

/** True when it has answered a preflight. */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply, origins: readonly string[]): boolean {
  if (origins.length === 0) return false;
  reply.header('vary', 'Origin');
  const { origin } = request.headers;
  if (origin === undefined || !origins.includes(origin)) return false;
  reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED });
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return false;
  reply.headers({
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers':
      'Authorization, Content-Type, Idempotency-Key, traceparent, MCP-Protocol-Version, Mcp-Method, Mcp-Name',
    'access-control-max-age': '600',
  });
  reply.status(204).send();
  return true;
}
