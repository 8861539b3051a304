import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type Failure, FailureCode, FailureSchema } from '@ces/proto/ces/failure/v1/failure_pb.ts';
import { Code, ConnectError } from '@connectrpc/connect';

export type { Failure } from '@ces/proto/ces/failure/v1/failure_pb.ts';
export { FailureCode } from '@ces/proto/ces/failure/v1/failure_pb.ts';

const RPC_CODES: Record<FailureCode, Code> = {
  [FailureCode.UNSPECIFIED]: Code.Internal,
  [FailureCode.INVALID_API_KEY]: Code.Unauthenticated,
  [FailureCode.SUBSCRIPTION_REQUIRED]: Code.PermissionDenied,
  [FailureCode.USAGE_NOT_FOUND]: Code.NotFound,
  [FailureCode.COMPANY_NOT_FOUND]: Code.NotFound,
  [FailureCode.OBSERVATION_NOT_FOUND]: Code.NotFound,
  [FailureCode.INVALID_SEARCH]: Code.InvalidArgument,
  [FailureCode.INVALID_REQUEST]: Code.InvalidArgument,
  [FailureCode.IDEMPOTENCY_KEY_REQUIRED]: Code.InvalidArgument,
  [FailureCode.IDEMPOTENCY_CONFLICT]: Code.AlreadyExists,
  [FailureCode.INVALID_CURSOR]: Code.InvalidArgument,
  [FailureCode.PLANNING_UNAVAILABLE]: Code.FailedPrecondition,
  [FailureCode.SEARCH_FAILED]: Code.FailedPrecondition,
  [FailureCode.USAGE_EXPIRED]: Code.FailedPrecondition,
  [FailureCode.REQUEST_LIMIT_REACHED]: Code.ResourceExhausted,
  [FailureCode.RATE_LIMITED]: Code.ResourceExhausted,
  [FailureCode.SERVICE_UNAVAILABLE]: Code.Unavailable,
  [FailureCode.NOT_FOUND]: Code.NotFound,
  [FailureCode.CALLER_NOT_ALLOWED]: Code.PermissionDenied,
  [FailureCode.CALLER_UNAUTHENTICATED]: Code.Unauthenticated,
};

interface FailureOptions {
  /** When the same call would be admitted. */
  readonly retryAt?: Date;
  /** Whole seconds from the rejection to `retryAt`. */
  readonly retryAfterSeconds?: number;
  /** Only logged; never leaves the process. */
  readonly cause?: unknown;
}

/** A longer message in an answer would delay other calls. */
const LONGEST_MESSAGE = 2_000;

export function failure(code: FailureCode, message: string, options: FailureOptions = {}): Failure {
  return create(FailureSchema, {
    code,
    message: message.slice(0, LONGEST_MESSAGE),
    ...(options.retryAt && { retryAt: timestampFromDate(options.retryAt) }),
    ...(options.retryAfterSeconds !== undefined && { retryAfterSeconds: BigInt(options.retryAfterSeconds) }),
  });
}

/** Throw it at the RPC edge. */
export function fail(code: FailureCode, message: string, options: FailureOptions = {}): ConnectError {
  return failWith(failure(code, message, options), options.cause);
}

export function failWith(value: Failure, cause?: unknown): ConnectError {
  return new ConnectError(value.message, RPC_CODES[value.code], undefined, [{ desc: FailureSchema, value }], cause);
}

/** Undefined if the call broke without an answer. */
export function failureOf(error: unknown): Failure | undefined {
  if (!(error instanceof ConnectError)) return undefined;
  return error.findDetails(FailureSchema)[0];
}
