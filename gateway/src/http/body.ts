import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { PublicError } from '../errors/public-error.ts';
import { parseJson } from '../input/json.ts';
import { bodyTooLarge } from './bounds.ts';

/**
 * Leaves the request body to the handler. Fastify would read it before the handler runs. It would
 * then wait forever for the body of a client that left during authentication.
 */
export function disableBodyParsing(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addHttpMethod('POST', { hasBody: false, overrideExisting: true });
}

/** Undefined for an empty body. Throws what `readBody` throws, and InvalidInput. */
export async function readJson(request: FastifyRequest, config: Config): Promise<unknown> {
  const body = await readBody(request, config);
  return body.length === 0 ? undefined : parseJson(body);
}

/** Throws payload_too_large, or invalid_request when the client leaves early. */
export async function readBody({ raw }: FastifyRequest, config: Config): Promise<Buffer> {
  const { bodyLimitBytes } = config;
  if (Number(raw.headers['content-length']) > bodyLimitBytes) throw bodyTooLarge(config);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
      length += chunk.length;
      if (length > bodyLimitBytes) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    throw new PublicError('invalid_request', 'The body did not arrive whole.', { status: 400, cause });
  }
  if (length <= bodyLimitBytes) return Buffer.concat(chunks);
  // A proxy that is still sending the rest would answer 502 if the connection ended here.
  raw.resume();
  throw bodyTooLarge(config);
}

/** Throws unsupported_media_type unless the body is uncompressed application/json in UTF-8. */
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
