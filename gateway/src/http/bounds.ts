import { HEADERS_TIMEOUT_MS } from '@ces/chassis/service/http-timeouts';
import type { Config } from '../config.ts';
import { PublicError } from '../errors/public-error.ts';

type Bounds = Pick<Config, 'bodyLimitBytes' | 'uriLimitBytes' | 'headerLimitBytes' | 'requestTimeoutMs'>;

export function bodyTooLarge({ bodyLimitBytes }: Bounds): PublicError {
  return new PublicError('payload_too_large', `The body is too large: at most ${bodyLimitBytes} bytes.`);
}

export function addressTooLong({ uriLimitBytes }: Bounds): PublicError {
  return new PublicError('uri_too_long', `The address is too long: at most ${uriLimitBytes} bytes.`);
}

export function headersTooLarge({ headerLimitBytes }: Bounds): PublicError {
  return new PublicError(
    'headers_too_large',
    `The request headers are too large: at most ${headerLimitBytes} bytes in all, the address included.`,
  );
}

export function requestTimedOut(config: Bounds): PublicError {
  const bounds = `its head within ${headTimeoutMs(config) / 1000} s, all of it within ${config.requestTimeoutMs / 1000} s`;
  return new PublicError('request_timeout', `The request did not arrive in time: ${bounds}.`);
}

/** Maximum time for the request head to arrive, in milliseconds. */
export function headTimeoutMs({ requestTimeoutMs }: Pick<Bounds, 'requestTimeoutMs'>): number {
  return Math.min(HEADERS_TIMEOUT_MS, requestTimeoutMs);
}
