import { fromBinary } from '@bufbuild/protobuf';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { AnySchema, anyUnpack } from '@bufbuild/protobuf/wkt';
import { ANYONE } from '@ces/chassis/rpc/caller';
import { type RpcServer, startRpcServer } from '@ces/chassis/rpc/server';
import { createLogger } from '@ces/chassis/telemetry/log';
import { acceptTokens } from '@ces/chassis/test-support/accept-tokens';
import { FailureCode, FailureSchema } from '@ces/proto/ces/failure/v1/failure_pb.ts';
import { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectWire, framed, prefix, statusOf, type WireAnswer, type WireConnection } from './wire.ts';

const CHECK = '/grpc.health.v1.Health/Check';
const SLOW = `/${LookupService.typeName}/Hydrate`;
/** `status: SERVING`. */
const SERVING = Buffer.from([0x08, 0x01]);
const EMPTY = framed(Buffer.alloc(0));
const DEADLINE_EXCEEDED = '4';
const PERMISSION_DENIED = '7';
const RESOURCE_EXHAUSTED = '8';
const TOO_MANY_BYTES = 33 * 1024 * 1024;

let server: RpcServer;
let wire: WireConnection;

beforeEach(async () => {
  server = await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    routes: (router) => router.service(LookupService, { hydrate: untilTold }),
    callers: { [LookupService.typeName]: { Hydrate: [ANYONE], '*': ['search'] } },
    callerTokens: acceptTokens({}),
    introspection: true,
    // Longer than a test may take, so that a server that waits for the drain limit fails.
    drainLimitMs: 3_600_000,
    logger: createLogger('test', 'silent'),
  });
  wire = await connectWire(server.url);
});
afterEach(async () => {
  await wire[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

test('an answer is a head, one frame and trailers with the status', async () => {
  const answer = await wire.call(CHECK, EMPTY);
  expect(answer).toMatchObject({ messages: [SERVING], trailers: { 'grpc-status': '0' } });
  expect(answer.head[':status']).toBe(200);
  expect(answer.head['content-type']).toMatch(/^application\/grpc(\+proto)?$/);
});

test('a refusal is a status with a Failure in its details, and no message', async () => {
  const answer = await wire.call(`/${LookupService.typeName}/ListChanges`, EMPTY);
  expect(answer.messages).toEqual([]);
  expect(answer.head[':status']).toBe(200);
  expect(statusOf(answer)).toMatchObject({
    'grpc-status': PERMISSION_DENIED,
    // Percent-encoded, as the gRPC over HTTP/2 specification requires for `grpc-message`.
    'grpc-message': expect.stringMatching(/^[\x20-\x7e]+$/),
  });
  expect(failureIn(answer)?.code).toBe(FailureCode.CALLER_NOT_ALLOWED);
});

test('a method that no server implements is not a success', async () => {
  const answer = await wire.call('/ces.lookup.v1.NoService/NoMethod', EMPTY);
  expect(statusOf(answer)['grpc-status']).not.toBe('0');
  expect(answer.messages).toEqual([]);
});

test('an authority that is no host, as a channel over several addresses names itself, is of no consequence', async () => {
  const answer = await wire.call(CHECK, EMPTY, { ':authority': '127.0.0.1:9102,127.0.0.2:9102' });
  expect(statusOf(answer)['grpc-status']).toBe('0');
});

test('the server itself ends a call at its deadline', async () => {
  const answer = await wire.call(SLOW, EMPTY, { 'grpc-timeout': '300m' });
  expect(statusOf(answer)['grpc-status']).toBe(DEADLINE_EXCEEDED);
});

test('a message that is too large is refused, and the connection carries the next call', async () => {
  const answer = await wire.call(CHECK, framed(Buffer.alloc(TOO_MANY_BYTES)));
  expect(statusOf(answer)['grpc-status']).toBe(RESOURCE_EXHAUSTED);
  expect(statusOf(await wire.call(CHECK, EMPTY))['grpc-status']).toBe('0');
});

test('a message that only says to be too large is refused by its length', async () => {
  const answer = await wire.begin(CHECK, prefix(TOO_MANY_BYTES));
  expect(statusOf(answer)['grpc-status']).toBe(RESOURCE_EXHAUSTED);
});

test('a server that ends says so on a connection that was refused something, and is gone promptly', async () => {
  await wire.begin(CHECK, framed(Buffer.alloc(TOO_MANY_BYTES)));
  await Promise.all([wire.goneAway, server[Symbol.asyncDispose]()]);
});

function untilTold(_request: unknown, { signal }: HandlerContext): Promise<never> {
  return new Promise((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  );
}

/**
 * Reads the Failure in `grpc-status-details-bin` field by field, as a client in any language does.
 */
function failureIn(answer: WireAnswer) {
  const header = statusOf(answer)['grpc-status-details-bin'];
  const reader = new BinaryReader(Buffer.from(String(header), 'base64'));
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field !== DETAILS) reader.skip(type);
    else return anyUnpack(fromBinary(AnySchema, reader.bytes()), FailureSchema);
  }
  return undefined;
}

/** Field number of `details` in google.rpc.Status. */
const DETAILS = 3;
