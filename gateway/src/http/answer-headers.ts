import type { FastifyReply, FastifyRequest } from 'fastify';
import { traceparentOfRequest } from './tracing.ts';

/** In the format of RFC 9745. */
const DEPRECATION = '@1767225600';

/** Also on answers that no route produces. */
export const SECURITY_HEADERS = {
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** The first hook, so that no answer lacks these headers. */
export function setAnswerHeaders(request: FastifyRequest, reply: FastifyReply): void {
  request.traceparent = traceparentOfRequest(request);
  reply.headers({ ...SECURITY_HEADERS, 'x-request-id': request.id, traceparent: request.traceparent });
  const successor = request.routeOptions.config?.successor;
  if (successor === undefined) return;
  reply.header('deprecation', DEPRECATION);
  reply.header('link', `</docs>; rel="deprecation"; type="text/html", <${successor}>; rel="successor-version"`);
}

export function appendListHeader(reply: FastifyReply, name: string, value: string): void {
  const before = reply.getHeader(name);
  reply.header(name, before === undefined ? value : `${before}, ${value}`);
}
