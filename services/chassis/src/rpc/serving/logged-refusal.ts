import type { ConnectError, HandlerContext } from '@connectrpc/connect';
import { failureOf } from '../../failure.ts';
import type { Logger } from '../../telemetry/log.ts';
import { toConnectError } from '../error.ts';

/** Logs what the caller does not get to see. */
export function toLoggedRefusal(logger: Logger, method: HandlerContext['method'], error: unknown): ConnectError {
  const refusal = toConnectError(error);
  if (failureOf(refusal) === undefined || refusal.cause !== undefined)
    logger.error({ err: refusal.cause ?? error, rpc: method.name }, 'call failed');
  return refusal;
}
