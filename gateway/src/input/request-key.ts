import type { IncomingMessage } from 'node:http';
import { PublicError } from '../errors/public-error.ts';

/** In code points. */
const MAX_LENGTH = 1024;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Once, UTF-8, trimmed (gateway/docs/contract.md, Idempotency). */
export function requestKeyOf(request: IncomingMessage): string {
  const values = request.headersDistinct['idempotency-key'] ?? [];
  if (values.length > 1) throw invalid('Idempotency-Key is given more than once.');
  return checkRequestKey(decode(values[0] ?? ''));
}

/** `name`: what the surface calls it. */
export function checkRequestKey(text: string, name = 'Idempotency-Key'): string {
  const requestKey = text.trim();
  if (requestKey === '')
    throw new PublicError(
      'idempotency_key_required',
      `${name} is missing: it names the operation, a new one for new work, the same for a retry.`,
    );
  if (/\p{Cc}/u.test(requestKey)) throw invalid(`${name} contains control characters.`);
  if ([...requestKey].length > MAX_LENGTH) throw invalid(`${name} is longer than ${MAX_LENGTH} characters.`);
  return requestKey;
}

/** Node decodes header bytes as Latin-1. */
function decode(header: string): string {
  try {
    return utf8.decode(Buffer.from(header, 'latin1'));
  } catch {
    throw invalid('Idempotency-Key is not UTF-8.');
  }
}

function invalid(message: string): PublicError {
  return new PublicError('invalid_search', message);
}
