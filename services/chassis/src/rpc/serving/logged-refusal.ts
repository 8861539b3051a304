import type { ConnectError, HandlerContext } from '@connectrpc/connect';
import type { Logger } from '../../telemetry/log.ts';
import { toConnectError } from '../error.ts';
import { failureOf } from '../failure.ts';

/** What a caller is told of an error; one that is no refusal is logged with what is not told. */
export function toLoggedRefusal(logger: Logger, method: HandlerContext['method'], error: unknown): ConnectError {
  const refusal = toConnectError(error);
  if (failureOf(refusal) === undefined || refusal.cause !== undefined)
    logger.error({ err: refusal.cause ?? error, rpc: method.name }, 'call failed');
  return refusal;
}
