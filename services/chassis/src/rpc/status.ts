import { Code, ConnectError } from '@connectrpc/connect';
import { findTrailerError } from '@connectrpc/connect/protocol-grpc';
import type { StatusObject } from '@grpc/grpc-js';

const DETAILS = 'grpc-status-details-bin';

/** The error that a gRPC status stands for, with its details: a Failure is found in it as in an error of our own. */
export function errorOfStatus({ code, details, metadata }: StatusObject): ConnectError {
  const trailer = new Headers({ 'grpc-status': String(code), 'grpc-message': encodeURIComponent(details) });
  const [found] = metadata.get(DETAILS);
  if (Buffer.isBuffer(found)) trailer.set(DETAILS, found.toString('base64'));
  return findTrailerError(trailer) ?? new ConnectError(details, Code.Internal);
}
