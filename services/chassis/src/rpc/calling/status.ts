import { Code, ConnectError } from '@connectrpc/connect';
import { findTrailerError } from '@connectrpc/connect/protocol-grpc';
import { type StatusObject, status } from '@grpc/grpc-js';

const DETAILS = 'grpc-status-details-bin';
/** grpc-js reports this with code INTERNAL if a server closes a call without an answer. */
const LET_GO = 'Call ended without gRPC status';

/** Keeps the Failure detail. A close without an answer counts as unavailable. */
export function errorOfStatus({ code, details, metadata }: StatusObject): ConnectError {
  const isLetGo = code === status.INTERNAL && details.includes(LET_GO);
  const trailer = new Headers({ 'grpc-status': String(code), 'grpc-message': encodeURIComponent(details) });
  const [failure] = metadata.get(DETAILS);
  if (Buffer.isBuffer(failure)) trailer.set(DETAILS, failure.toString('base64'));
  const found = findTrailerError(trailer);
  const error = new ConnectError(
    found?.rawMessage ?? details,
    isLetGo ? Code.Unavailable : (found?.code ?? Code.Internal),
  );
  error.details = found?.details ?? [];
  return error;
}
