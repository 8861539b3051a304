import { dateOf } from '@ces/chassis/instant';
import { type Failure, FailureCode, failureOf } from '@ces/chassis/rpc/failure';
import type { ErrorCode } from '../schema/error.ts';
import { PublicError } from './public-error.ts';

const PUBLIC_CODES: Record<FailureCode, ErrorCode> = {
  [FailureCode.UNSPECIFIED]: 'internal_error',
  [FailureCode.INVALID_API_KEY]: 'invalid_api_key',
  [FailureCode.SUBSCRIPTION_REQUIRED]: 'subscription_required',
  [FailureCode.USAGE_NOT_FOUND]: 'usage_not_found',
  [FailureCode.COMPANY_NOT_FOUND]: 'company_not_found',
  [FailureCode.OBSERVATION_NOT_FOUND]: 'observation_not_found',
  [FailureCode.INVALID_SEARCH]: 'invalid_search',
  [FailureCode.INVALID_REQUEST]: 'invalid_request',
  [FailureCode.IDEMPOTENCY_KEY_REQUIRED]: 'idempotency_key_required',
  [FailureCode.IDEMPOTENCY_CONFLICT]: 'idempotency_conflict',
  [FailureCode.INVALID_CURSOR]: 'invalid_cursor',
  [FailureCode.PLANNING_UNAVAILABLE]: 'planning_unavailable',
  [FailureCode.SEARCH_FAILED]: 'search_failed',
  [FailureCode.USAGE_EXPIRED]: 'usage_expired',
  [FailureCode.REQUEST_LIMIT_REACHED]: 'request_limit_reached',
  [FailureCode.RATE_LIMITED]: 'rate_limited',
  [FailureCode.SERVICE_UNAVAILABLE]: 'service_unavailable',
  [FailureCode.NOT_FOUND]: 'internal_error',
  [FailureCode.CALLER_NOT_ALLOWED]: 'internal_error',
  [FailureCode.CALLER_UNAUTHENTICATED]: 'service_unavailable',
};

const INTERNAL_MESSAGE = 'Something went wrong in the service; try again with the same key.';

export function publicCode(failure: Failure): ErrorCode {
  return PUBLIC_CODES[failure.code] ?? 'internal_error';
}

/** Only the log has the details of `internal_error`. */
export function toPublicError(error: unknown): PublicError {
  if (error instanceof PublicError) return error;
  const failure = failureOf(error);
  const code = failure ? publicCode(failure) : 'internal_error';
  if (!failure || code === 'internal_error')
    return new PublicError('internal_error', INTERNAL_MESSAGE, { cause: error });
  return new PublicError(code, failure.message, {
    ...(failure.retryAt && { retryAt: dateOf(failure.retryAt) }),
    ...(failure.retryAfterSeconds !== undefined && { retryAfterSeconds: Number(failure.retryAfterSeconds) }),
    ...(code === 'service_unavailable' && { cause: error }),
  });
}
