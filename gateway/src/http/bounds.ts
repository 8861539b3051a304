import { HEADERS_TIMEOUT_MS } from '@ces/chassis/service/http-timeouts';
import type { Config } from '../config.ts';
import { PublicError } from '../errors/public-error.ts';

export const MAX_BODY_BYTES = 131_072;
/** The address included. */
export const MAX_HEAD_BYTES = 24_576;
export const MAX_ADDRESS_BYTES = 8_192;

export function bodyTooLarge(): PublicError {
  return new PublicError('payload_too_large', `The body is too large: at most ${MAX_BODY_BYTES} bytes.`);
}

export function addressTooLong(): PublicError {
  return new PublicError('uri_too_long', `The address is too long: at most ${MAX_ADDRESS_BYTES} bytes.`);
}

export function headersTooLarge(): PublicError {
  return new PublicError(
    'headers_too_large',
    `The request headers are too large: at most ${MAX_HEAD_BYTES} bytes in all, the address included.`,
  );
}

type Timeouts = Pick<Config, 'requestTimeoutMs'>;

export function requestTimedOut(config: Timeouts): PublicError {
  const bounds = `its head within ${headTimeoutMs(config) / 1000} s, all of it within ${config.requestTimeoutMs / 1000} s`;
  return new PublicError('request_timeout', `The request did not arrive in time: ${bounds}.`);
}

/** Maximum time for the request head to arrive, in milliseconds. */
export function headTimeoutMs({ requestTimeoutMs }: Timeouts): number {
  return Math.min(HEADERS_TIMEOUT_MS, requestTimeoutMs);
}
