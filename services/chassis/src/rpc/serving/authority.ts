import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Replaces an `:authority` or `host` that is no valid URL host, because Connect parses it. A
 * channel over several addresses sends all of them there.
 */
export function replaceInvalidAuthority({ raw }: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  const name = raw.httpVersionMajor === 2 ? ':authority' : 'host';
  if (!URL.canParse(`http://${raw.headers[name] ?? raw.headers.host ?? ''}`)) raw.headers[name] = 'localhost';
  done();
}
