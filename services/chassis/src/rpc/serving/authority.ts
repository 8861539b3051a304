import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Lets no call fail by the name that its caller has for this server, on which nothing here depends: Connect makes an address
 * of it, and a channel over several addresses names them all.
 */
export function tolerateAuthority({ raw }: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  const name = raw.httpVersionMajor === 2 ? ':authority' : 'host';
  if (!URL.canParse(`http://${raw.headers[name] ?? raw.headers.host ?? ''}`)) raw.headers[name] = 'localhost';
  done();
}
