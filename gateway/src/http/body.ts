import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PublicError } from '../errors/public-error.ts';
import { parseJson } from '../input/json.ts';
import { bodyTooLarge, MAX_BODY_BYTES } from './bounds.ts';

/** Fastify would wait forever for the body of a client that left during authentication. */
export function disableBodyParsing(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addHttpMethod('POST', { hasBody: false, overrideExisting: true });
}

/** Undefined for an empty body. Throws what `readBody` throws, and InvalidInput. */
export async function readJson(request: FastifyRequest): Promise<unknown> {
  const body = await readBody(request);
  return body.length === 0 ? undefined : parseJson(body);
}

/** Throws payload_too_large, or invalid_request when the client leaves early. */
export async function readBody({ raw }: FastifyRequest): Promise<Buffer> {
  if (Number(raw.headers['content-length']) > MAX_BODY_BYTES) throw bodyTooLarge();
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
      length += chunk.length;
      if (length > MAX_BODY_BYTES) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    throw new PublicError('invalid_request', 'The body did not arrive whole.', { status: 400, cause });
  }
  if (length <= MAX_BODY_BYTES) return Buffer.concat(chunks);
  // A proxy that still sends would answer 502 if the connection ended here.
  raw.resume();
  throw bodyTooLarge();
}

/** Throws unsupported_media_type unless uncompressed application/json in UTF-8. */
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
