import { Code, ConnectError } from '@connectrpc/connect';
import { findTrailerError } from '@connectrpc/connect/protocol-grpc';
import type { StatusObject } from '@grpc/grpc-js';

const DETAILS = 'grpc-status-details-bin';

/** The error that a gRPC status stands for, with its details: a Failure is found in it, and passed on, as in one of our own. */
export function errorOfStatus({ code, details, metadata }: StatusObject): ConnectError {
  const trailer = new Headers({ 'grpc-status': String(code), 'grpc-message': encodeURIComponent(details) });
  const [status] = metadata.get(DETAILS);
  if (Buffer.isBuffer(status)) trailer.set(DETAILS, status.toString('base64'));
  const found = findTrailerError(trailer);
  const error = new ConnectError(found?.rawMessage ?? details, found?.code ?? Code.Internal);
  error.details = found?.details ?? [];
  return error;
}
