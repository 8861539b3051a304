import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { Duplex } from 'node:stream';
import type { Config } from '../config.ts';
import { PublicError } from '../errors/public-error.ts';
import { SECURITY_HEADERS } from './answer-headers.ts';
import { addressTooLong, headersTooLarge, MAX_ADDRESS_BYTES, requestTimedOut } from './bounds.ts';

interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** Writes to the socket, because there is no request object yet. */
export function answerConnectionFault(error: ParserError, socket: Duplex, config: Config): void {
  const answering = (socket as { _httpMessage?: { _headerSent?: boolean } })._httpMessage?._headerSent;
  if (error.code !== 'ECONNRESET' && socket.writable && !answering) writeError(socket, faultOf(error, config));
  socket.destroy();
}

/** Node emits no `request` event for CONNECT. */
export function answerConnect(socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  writeError(
    socket,
    new PublicError('method_not_allowed', 'CONNECT is no method here.', { headers: { allow: 'GET, POST' } }),
  );
  socket.end();
}

function faultOf(error: ParserError, config: Config): PublicError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return requestLineLength(error.rawPacket) > MAX_ADDRESS_BYTES ? addressTooLong() : headersTooLarge();
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new PublicError('payload_too_large', 'The chunk extensions of the body are too large.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return requestTimedOut(config);
    default:
      return new PublicError('invalid_request', 'This is not an HTTP request.', { status: 400 });
  }
}

function requestLineLength(packet: Buffer | undefined): number {
  const end = packet?.indexOf('\r\n') ?? 0;
  return end < 0 ? (packet?.length ?? 0) : end;
}

function writeError(socket: Duplex, error: PublicError): void {
  const body = Buffer.from(JSON.stringify(error.body()));
  const headers = {
    ...SECURITY_HEADERS,
    ...error.headers,
    'x-request-id': randomUUID(),
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${error.status} ${http.STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n`);
  socket.write(body);
}
