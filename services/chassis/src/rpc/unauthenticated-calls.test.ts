import http2 from 'node:http2';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { VOLUME_TIMEOUT_MS, volumeOf } from '@ces/test/support/volume.ts';
import { expect, test } from 'vitest';
import { acceptTokens } from '../../test-support/accept-tokens.ts';
import { floodHttp2 } from '../../test-support/floods.ts';
import { startGuardedProcess } from '../../test-support/guarded-process.ts';
import { SLOW_PEERS, untilLeft } from '../../test-support/slow-peers.ts';
import { createLogger } from '../telemetry/log.ts';
import { ANYONE } from './caller.ts';
import { createRpcClient } from './client.ts';
import { startRpcServer } from './server.ts';

const AT_ONCE = 50;
/** Allowed growth in MiB: the memory of four bodies, out of at least a hundred. */
const FLAT_MIB = 120;
/** Limit on the total in MiB; a third of it is used before the first call. */
const MOST_MIB = 300;

const CLOSED = `/${LedgerService.typeName}/Authenticate`;
const OPEN = `/${OperationsService.typeName}/SubmitCompanySearch`;

const grpc = { 'content-type': 'application/grpc+proto' };

test.each([
  ['gRPC', CLOSED, grpc],
  ['gRPC-Web', CLOSED, { 'content-type': 'application/grpc-web+proto' }],
  ['Connect', CLOSED, { 'content-type': 'application/proto' }],
  ['Connect in JSON', CLOSED, { 'content-type': 'application/json' }],
  ['gRPC with a token that is a guess', CLOSED, { ...grpc, 'x-ces-caller-token': 'guess' }],
  ['gRPC to what API keys open', OPEN, grpc],
  ['Connect to what API keys open', OPEN, { 'content-type': 'application/proto' }],
  ['nothing that is there', '/nothing/here', { 'content-type': 'application/json' }],
])(
  'bodies of unauthenticated callers leave no trace in memory: %s',
  { timeout: VOLUME_TIMEOUT_MS, tags: 'nightly' },
  async (_, path, headers) => {
    await using server = await startGuardedProcess();
    await floodHttp2(server.rpc, path, AT_ONCE, headers);
    const before = server.peakMiB();
    const bodies = volumeOf(100, 1_000);
    const statuses = new Set<string>();
    for (let sent = 0; sent < bodies; sent += AT_ONCE)
      for (const status of await floodHttp2(server.rpc, path, AT_ONCE, headers)) statuses.add(status);
    expect(server.peakMiB() - before).toBeLessThan(FLAT_MIB);
    expect(server.peakMiB()).toBeLessThan(MOST_MIB);
    expect([...statuses]).not.toContain('0');
    expect([...statuses]).not.toContain('200');
  },
);

test('a peer that starts and does not continue is disconnected, on every port', async () => {
  await using server = await startGuardedProcess();
  const ports = [server.rpc, server.admin];
  await Promise.all(Object.values(SLOW_PEERS).flatMap((bytes) => ports.map((url) => untilLeft(url, bytes))));
});

test('idle open calls do not keep out callers who authenticate in their message', async () => {
  await using server = await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    routes: (router) => router.service(OperationsService, { getOperation: () => ({}) }),
    callers: { [OperationsService.typeName]: { '*': [ANYONE] } },
    callerTokens: acceptTokens({}),
    logger: createLogger('test', 'silent'),
  });
  const session = http2.connect(server.url);
  const reasons: number[] = [];
  for (let at = 0; at < 100; at += 1) {
    const stream = session.request({ ':method': 'POST', ':path': OPEN, te: 'trailers', ...grpc }, { endStream: false });
    stream.on('error', () => undefined).on('close', () => reasons.push(stream.rstCode ?? 0));
  }
  await expect.poll(() => reasons.length).toBe(100 - 64);
  expect(new Set(reasons)).toEqual(new Set([http2.constants.NGHTTP2_REFUSED_STREAM]));
  const client = createRpcClient(OperationsService, { url: server.url, timeoutMs: 5_000 });
  for (let at = 0; at < 100; at += 1)
    await client.getOperation({ caller: { identity: { case: 'bearer', value: 'key' } } });
  session.destroy();
});
