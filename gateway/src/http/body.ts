import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { PublicError } from '../errors/public-error.ts';
import { parseJson } from '../input/json.ts';
import { bodyTooLarge } from './bounds.ts';

/**
 * Leaves the body of a request to its handler. Fastify would read it before the handler runs, and would wait for ever for the body of
 * a client that left while it was authenticated.
 */
export function leaveBodiesToHandlers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addHttpMethod('POST', { hasBody: false, overrideExisting: true });
}

/** Reads the body of a request as JSON: undefined when there is none. Throws what `readBody` throws, and InvalidInput. */
export async function readJson(request: FastifyRequest, config: Config): Promise<unknown> {
  const body = await readBody(request, config);
  return body.length === 0 ? undefined : parseJson(body);
}

/** Reads the body of a request to its end. Throws payload_too_large, and invalid_request when the client leaves before that. */
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
  // The rest is read and thrown away: a proxy that is still sending it would answer 502 if the connection ended here.
  raw.resume();
  throw bodyTooLarge(config);
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
