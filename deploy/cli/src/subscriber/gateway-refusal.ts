import type { CesError } from '@ces/client';
import { Refusal } from '../refusal.ts';
import { withFlagNames } from './flag-names.ts';
import { gatewayAddressOf } from './gateway.ts';

/** Errors before the request reached the gateway, so no units were charged. */
const NEVER_ARRIVED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** Keeps the body and names the verb's flags, or the connection problem. */
export function gatewayRefusal(error: CesError, env: NodeJS.ProcessEnv, verb: string): Refusal {
  const address = gatewayAddressOf(env);
  const unavailable = { code: 'service_unavailable', cause: error };
  switch (error.code) {
    case 'connection_failed':
      return hasArrived(error)
        ? new Refusal(`The gateway at ${address} did not answer: ${againWith(error.requestKey)}.`, unavailable)
        : new Refusal(
            `Nothing answers at ${address}: start the stack with npm start, or set CES_GATEWAY_URL.`,
            unavailable,
          );
    case 'redirect_refused':
      return new Refusal(`${address} redirects elsewhere: set CES_GATEWAY_URL to the gateway itself.`, {
        cause: error,
      });
    case 'unexpected_answer':
      return new Refusal(
        `${address} answered ${error.status} but is not a gateway: set CES_GATEWAY_URL to the gateway itself.`,
        { cause: error },
      );
    default:
      return ofInterface(error, verb);
  }
}

function ofInterface(error: CesError, verb: string): Refusal {
  const { code, message, retryAt, retryAfterMs, usage, allowance } = error;
  const retry_at = retryAt?.toISOString();
  const again = retry_at === undefined ? '' : ` Try again at ${retry_at}.`;
  const body = {
    error: {
      code,
      message,
      ...(retry_at !== undefined && { retry_at }),
      ...(retryAfterMs !== undefined && { retry_after_seconds: Math.ceil(retryAfterMs / 1000) }),
    },
    ...(usage && { usage }),
    ...(allowance && { request_allowance: allowance }),
  };
  return new Refusal(`${withFlagNames(message, verb)}${again} (${code})`, { code, body, cause: error });
}

function againWith(requestKey: string | undefined): string {
  return requestKey === undefined ? 'try again' : `try again with --key ${requestKey}, which adds no charge`;
}

function hasArrived({ cause }: CesError): boolean {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code !== 'string' || !NEVER_ARRIVED.has(code);
}
