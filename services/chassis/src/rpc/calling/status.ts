import { Code, ConnectError } from '@connectrpc/connect';
import { findTrailerError } from '@connectrpc/connect/protocol-grpc';
import { type StatusObject, status } from '@grpc/grpc-js';

const DETAILS = 'grpc-status-details-bin';
/** What `@grpc/grpc-js` says of a call that its server let go without an answer, under the code of a fault. */
const LET_GO = 'Call ended without gRPC status';

/**
 * The error that a gRPC status stands for, with its details: a Failure is found in it, and passed on, as in one of our own. A server
 * that ends before it has answered is one that is away.
 */
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
