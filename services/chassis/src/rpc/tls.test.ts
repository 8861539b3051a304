import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { Health } from '@ces/proto/grpc/health/v1/health_pb.ts';
import { type Authority, createAuthority } from '@ces/test/support/certificates.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { acceptTokens } from '../../test-support/accept-tokens.ts';
import { createLogger } from '../telemetry/log.ts';
import { createRpcClient } from './client.ts';
import { startRpcServer } from './server.ts';
import type { RpcTls } from './tls.ts';

const NO_TLS: RpcTls = { tlsCertFile: '', tlsKeyFile: '', tlsCaFile: '', tlsClientAuth: 'require', tlsRefreshMs: 100 };

let authority: Authority;
let folder: string;

beforeEach(async () => {
  authority = await createAuthority();
  folder = await mkdtemp(path.join(tmpdir(), 'ces-tls-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function identity(by = authority): Promise<RpcTls> {
  const own = await mkdtemp(path.join(folder, 'identity-'));
  const { certFile, keyFile, caFile } = await by.issue(own, ['127.0.0.1', 'localhost']);
  return { tlsCertFile: certFile, tlsKeyFile: keyFile, tlsCaFile: caFile, tlsClientAuth: 'require', tlsRefreshMs: 100 };
}

async function startHealth(tls: RpcTls, logger = createLogger('test', 'silent')) {
  return await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    routes: () => undefined,
    callers: {},
    callerTokens: acceptTokens({}),
    introspection: true,
    logger,
    tls,
  });
}

async function check(url: string, tls: RpcTls | undefined) {
  const client = createRpcClient(Health, { url, timeoutMs: 4_000, ...(tls && { tls }) });
  return (await client.check({})).status;
}

async function serialAt(url: string, { tlsCaFile }: RpcTls): Promise<string> {
  const socket = tls.connect({ port: Number(new URL(url).port), host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  expect(tlsCaFile).not.toBe('');
  return serialNumber;
}

test('a server with a certificate authority accepts only callers with one of its certificates', async () => {
  const own = await identity();
  await using server = await startHealth(own);
  expect(server.url).toMatch(/^https:/);
  expect(await check(server.url, await identity())).toBe(1);
  const stranger = await identity(await createAuthority());
  const unknown: readonly [string, RpcTls | undefined][] = [
    [server.url, { ...NO_TLS, tlsCaFile: own.tlsCaFile }],
    [server.url, { ...stranger, tlsCaFile: own.tlsCaFile }],
    [server.url, stranger],
    [server.url, undefined],
    [server.url.replace('https:', 'http:'), undefined],
  ];
  for (const [url, shown] of unknown) await expect(check(url, shown)).rejects.toThrow('try again');
});

test('renewed files are shown without a restart, and files that are of no use are not', async () => {
  const own = await identity();
  const logger = createLogger('test', 'silent');
  const complaints = vi.spyOn(logger, 'error');
  await using server = await startHealth(own, logger);
  const before = await serialAt(server.url, own);
  expect(await check(server.url, await identity())).toBe(1);
  await authority.issue(path.dirname(own.tlsCertFile), ['127.0.0.1', 'localhost']);
  await expect.poll(() => serialAt(server.url, own)).not.toBe(before);
  expect(await check(server.url, await identity())).toBe(1);
  const renewed = await serialAt(server.url, own);
  await rm(own.tlsKeyFile);
  await expect.poll(() => complaints.mock.calls.length).toBeGreaterThan(0);
  expect(await serialAt(server.url, own)).toBe(renewed);
  expect(await check(server.url, await identity())).toBe(1);
});

test('a caller shows its renewed certificate with its next connection', async () => {
  const own = await identity();
  await using server = await startHealth(own);
  const shown = await identity(await createAuthority());
  const trusting = { ...shown, tlsCaFile: own.tlsCaFile };
  const client = createRpcClient(Health, { url: server.url, timeoutMs: 2_000, tls: trusting });
  await expect(client.check({})).rejects.toThrow('try again');
  await authority.issue(path.dirname(shown.tlsCertFile), ['127.0.0.1']);
  const status = async () => (await client.check({}).catch(() => undefined))?.status;
  await expect.poll(status).toBe(1);
});

test('a connection that never says anything keeps no server from ending', async () => {
  const server = await startHealth(await identity());
  const silent = net.connect(Number(new URL(server.url).port), '127.0.0.1');
  silent.on('error', () => undefined);
  await once(silent, 'connect');
  const closed = once(silent, 'close');
  await server[Symbol.asyncDispose]();
  await closed;
});

test('half a configuration is refused at the start', async () => {
  const own = await identity();
  await expect(startHealth({ ...own, tlsKeyFile: '' })).rejects.toThrow('CES_RPC_TLS_KEY_FILE');
});

test('without client certificates, callers still check the certificate of the server', async () => {
  const own = await identity();
  await using server = await startHealth({ ...own, tlsClientAuth: 'none' });
  expect(await check(server.url, { ...NO_TLS, tlsCaFile: own.tlsCaFile })).toBe(1);
  const trustingOthers = await identity(await createAuthority());
  await expect(check(server.url, trustingOthers)).rejects.toThrow('try again');
});

test('nothing below TLS 1.2 is spoken, also after a renewal', async () => {
  const own = await identity();
  await using server = await startHealth({ ...own, tlsClientAuth: 'none' });
  const greet = async (version: tls.SecureVersion) => {
    const { port } = new URL(server.url);
    // OpenSSL offers older versions only at security level 0, which allows weak digests.
    const old = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    const socket = tls.connect({ port: Number(port), host: '127.0.0.1', rejectUnauthorized: false, ...old });
    return await once(socket, 'secureConnect').then(
      () => socket.destroy() && 'spoken',
      (error: NodeJS.ErrnoException) => error.code,
    );
  };
  const before = await serialAt(server.url, own);
  expect(await greet('TLSv1.1')).toMatch(/PROTOCOL_VERSION/);
  await authority.issue(path.dirname(own.tlsCertFile), ['127.0.0.1']);
  await expect.poll(() => serialAt(server.url, own)).not.toBe(before);
  expect(await greet('TLSv1.1')).toMatch(/PROTOCOL_VERSION/);
  expect(await greet('TLSv1.2')).toBe('spoken');
});
