import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { Health } from '@ces/proto/grpc/health/v1/health_pb.ts';
import { type Authority, createAuthority } from '@ces/test/support/certificates.ts';
import { startProxy } from '@ces/test/support/faulty-proxy.ts';
import { MountedSecret } from '@ces/test/support/mounted-secret.ts';
import { seeded } from '@ces/test/support/random.ts';
import { expect, test } from 'vitest';
import { acceptTokens } from '../../test-support/accept-tokens.ts';
import { createLogger } from '../telemetry/log.ts';
import { ANYONE } from './caller.ts';
import { createRpcClient } from './client.ts';
import { startRpcServer } from './server.ts';
import type { RpcTls } from './tls.ts';

const NAMES = ['127.0.0.1', 'localhost'];

function tlsOf({ files }: MountedSecret): RpcTls {
  const { certFile, keyFile, caFile } = files;
  return { tlsCertFile: certFile, tlsKeyFile: keyFile, tlsCaFile: caFile, tlsClientAuth: 'require', tlsRefreshMs: 100 };
}

async function startLedger(tls: RpcTls, connectionAgeMs = 60_000) {
  return await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    routes: (router) => router.service(LedgerService, { getAllowance: () => ({}) }),
    callers: { [LedgerService.typeName]: { '*': [ANYONE] } },
    callerTokens: acceptTokens({}),
    introspection: true,
    logger: createLogger('test', 'silent'),
    connectionAgeMs,
    tls,
  });
}

// Calls a method that may be retried, like those of the product: connections end after 0.3 s, also
// during calls that a busy machine sends late.
test('certificates and their authority are replaced under load, and no call fails', {
  timeout: 480_000,
  tags: 'nightly',
}, async () => {
  const [before, after] = [await createAuthority(), await createAuthority()];
  await using served = await MountedSecret.create(before, NAMES);
  await using shown = await MountedSecret.create(before, NAMES);
  await using server = await startLedger(tlsOf(served), 300);
  const client = createRpcClient(LedgerService, { url: server.url, timeoutMs: 5_000, tls: tlsOf(shown) });
  const failed: unknown[] = [];
  let answered = 0;
  let isOver = false;
  const caller = async () => {
    while (!isOver)
      await client.getAllowance({}).then(
        () => {
          answered += 1;
        },
        (error: unknown) => failed.push(error),
      );
  };
  const callers = Array.from({ length: 8 }, caller);
  const settled = async () => {
    const { length } = failed;
    const target = answered + 500;
    const began = performance.now();
    await expect.poll(() => answered >= target && performance.now() - began > 1_000).toBe(true);
    expect(failed.slice(length)).toEqual([]);
  };
  await settled();
  const both = `${before.pem}\n${after.pem}`;
  const steps: readonly (readonly [Authority, string])[] = [
    [before, before.pem],
    [before, both],
    [after, both],
    [after, after.pem],
  ];
  for (const [by, trusted] of steps) {
    await Promise.all([served.replace(by, trusted), shown.replace(by, trusted)]);
    await settled();
  }
  isOver = true;
  await Promise.all(callers);
  expect(failed).toEqual([]);
  await using old = await MountedSecret.create(before, NAMES);
  const outdated = createRpcClient(LedgerService, { url: server.url, timeoutMs: 2_000, tls: tlsOf(old) });
  await expect(outdated.getAllowance({})).rejects.toThrow('try again');
});

test('a peer that falls silent is given up over TLS as it is without', async () => {
  const authority = await createAuthority();
  await using secret = await MountedSecret.create(authority, NAMES);
  await using server = await startLedger(tlsOf(secret));
  await using proxy = await startProxy(Number(new URL(server.url).port), seeded('tls'));
  const client = createRpcClient(Health, {
    url: `https://127.0.0.1:${proxy.port}`,
    timeoutMs: 2_000,
    tls: tlsOf(secret),
  });
  expect((await client.check({})).status).toBe(1);
  proxy.fault = { kind: 'lost' };
  await expect(client.check({})).rejects.toThrow('try again');
  const status = async () => (await client.check({}).catch(() => undefined))?.status;
  await expect.poll(status).toBe(1);
});
