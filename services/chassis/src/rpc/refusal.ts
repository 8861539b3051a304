import { create } from '@bufbuild/protobuf';
import { type Failure, FailureSchema, type Refusal, RefusalSchema } from '@ces/proto/ces/failure/v1/failure_pb.ts';
import { Code, ConnectError } from '@connectrpc/connect';
import { FailureCode, fail, failureOf } from './failure.ts';

/** An error of a call as one of several answers carries it. */
export function refusalOf(error: ConnectError): Refusal {
  const failure: Failure | undefined = failureOf(error);
  return create(RefusalSchema, { code: error.code, message: error.rawMessage, ...(failure && { failure }) });
}

/** The error that a request by itself would have been answered with. */
export function errorOfRefusal({ code, message, failure }: Refusal): ConnectError {
  const error = new ConnectError(message, code in Code ? code : Code.Internal);
  if (failure) error.details = [{ desc: FailureSchema, value: failure }];
  return error;
}

const OUTAGES: ReadonlySet<Code> = new Set([Code.Unavailable, Code.Aborted, Code.Canceled, Code.DeadlineExceeded]);

/** The error of a call, where it is that of a peer that cannot be reached or does not answer in time, as an outage. */
export function unanswered(typeName: string, error: unknown): unknown {
  if (failureOf(error) || !(error instanceof ConnectError && OUTAGES.has(error.code))) return error;
  return fail(
    FailureCode.SERVICE_UNAVAILABLE,
    'A part of the service does not answer now; try again with the same key.',
    { cause: new Error(`${typeName} is not reachable`, { cause: error }) },
  );
}
