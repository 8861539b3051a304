import { create } from '@bufbuild/protobuf';
import { type Failure, FailureSchema, type Refusal, RefusalSchema } from '@ces/proto/ces/failure/v1/failure_pb.ts';
import { Code, ConnectError } from '@connectrpc/connect';
import { FailureCode, fail, failureOf } from '../failure.ts';

export function refusalOf(error: ConnectError): Refusal {
  const failure: Failure | undefined = failureOf(error);
  return create(RefusalSchema, { code: error.code, message: error.rawMessage, ...(failure && { failure }) });
}

export function errorOfRefusal({ code, message, failure }: Refusal): ConnectError {
  const error = new ConnectError(message, code in Code ? code : Code.Internal);
  if (failure) error.details = [{ desc: FailureSchema, value: failure }];
  return error;
}

const OUTAGES: ReadonlySet<Code> = new Set([Code.Unavailable, Code.Aborted, Code.Canceled, Code.DeadlineExceeded]);

export function toOutage(typeName: string, error: unknown): unknown {
  if (failureOf(error) || !(error instanceof ConnectError && OUTAGES.has(error.code))) return error;
  return fail(
    FailureCode.SERVICE_UNAVAILABLE,
    'A part of the service does not answer now; try again with the same key.',
    { cause: new Error(`${typeName} is not reachable`, { cause: error }) },
  );
}
