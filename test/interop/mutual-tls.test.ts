import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type RpcServer, startRpcServer } from '@ces/chassis/rpc/server';
import { createLogger } from '@ces/chassis/telemetry/log';
import { acceptTokens } from '@ces/chassis/test-support/accept-tokens';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAuthority } from '../support/certificates.ts';
import { bufCurl } from './buf-curl.ts';

const CHECK = { path: '/grpc.health.v1.Health/Check' };

let folder: string;
let server: RpcServer;
let trust: readonly string[];
let shown: readonly string[];

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'ces-interop-'));
  const files = await (await createAuthority()).issue(folder, ['127.0.0.1']);
  trust = ['--cacert', files.caFile];
  shown = ['--cert', files.certFile, '--key', files.keyFile];
  server = await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    routes: () => undefined,
    callers: {},
    callerTokens: acceptTokens({}),
    introspection: true,
    tls: {
      tlsCertFile: files.certFile,
      tlsKeyFile: files.keyFile,
      tlsCaFile: files.caFile,
      tlsClientAuth: 'require',
      tlsRefreshMs: 30_000,
    },
    logger: createLogger('test', 'silent'),
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

test('a caller of Go that shows a certificate of the authority is answered over TLS', async () => {
  const outcome = await bufCurl(server.url, { ...CHECK, certificates: [...trust, ...shown] });
  expect(outcome).toEqual({ answers: [{ status: 'SERVING' }] });
});

test('one that shows none is not', async () => {
  await expect(bufCurl(server.url, { ...CHECK, certificates: trust })).rejects.toThrow();
});
