import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PublicError } from '../errors/public-error.ts';
import { parseJson } from '../input/json.ts';

/** Bodies are plain JSON and nothing else: one parser for every content type, after a check that there is one to parse. */
export function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) =>
    body.length === 0 ? undefined : parseJson(body),
  );
}

/** Throws unsupported_media_type for a body that is not application/json, in UTF-8, uncompressed. */
export function checkMediaType(request: FastifyRequest): void {
  const { headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  const type = headers['content-type'];
  if (type === undefined ? hasBody : !isPlainJson(type))
    throw unsupported('Send the body as application/json in UTF-8.');
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity')
    throw unsupported('Send the body uncompressed.');
}

function isPlainJson(contentType: string): boolean {
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  return type === 'application/json' && parameters.every((parameter) => isUtf8OrNoCharset(parameter));
}

function isUtf8OrNoCharset(parameter: string): boolean {
  const [name, value] = parameter.split('=').map((part) => part.trim());
  return name !== 'charset' || /^"?utf-?8"?$/.test(value ?? '');
}

function unsupported(message: string): PublicError {
  return new PublicError('unsupported_media_type', message);
}
