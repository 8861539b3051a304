import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Health } from '@ces/proto/grpc/health/v1/health_pb.ts';
import { startProxy } from '@ces/test/lab/cluster/proxy.ts';
import { type Authority, createAuthority } from '@ces/test/support/certificates.ts';
import { seeded } from '@ces/test/support/random.ts';
import { expect, test } from 'vitest';
import { createLogger } from '../telemetry/log.ts';
import { createRpcClient } from './client.ts';
import { startRpcServer } from './server.ts';
import type { RpcTls } from './tls.ts';

const NAMES = ['127.0.0.1', 'localhost'];
const REFRESH_MS = 100;

/** A Secret as the kubelet mounts it: links to files behind a link to a folder, which is swapped. */
class MountedSecret implements AsyncDisposable {
  readonly #folder: string;
  #version = 0;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async create(by: Authority): Promise<MountedSecret> {
    const secret = new MountedSecret(await mkdtemp(path.join(tmpdir(), 'ces-secret-')));
    await secret.replace(by, by.pem);
    for (const name of ['tls.crt', 'tls.key', 'ca.crt'])
      await symlink(path.join('..data', name), path.join(secret.#folder, name));
    return secret;
  }

  get tls(): RpcTls {
    const file = (name: string) => path.join(this.#folder, name);
    return {
      tlsCertFile: file('tls.crt'),
      tlsKeyFile: file('tls.key'),
      tlsCaFile: file('ca.crt'),
      tlsClientAuth: 'require',
      tlsRefreshMs: REFRESH_MS,
    };
  }

  /** A new certificate by `by`, and `trusted` to check peers with, all at once. */
  async replace(by: Authority, trusted: string): Promise<void> {
    this.#version += 1;
    const name = `..version-${this.#version}`;
    const next = path.join(this.#folder, name);
    await mkdir(next);
    await by.issue(next, NAMES);
    await writeFile(path.join(next, 'ca.crt'), trusted);
    await symlink(name, `${next}.link`);
    await rename(`${next}.link`, path.join(this.#folder, '..data'));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return rm(this.#folder, { recursive: true });
  }
}

async function startHealth(tls: RpcTls, connectionAgeMs = 60_000) {
  return await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    routes: () => undefined,
    callers: {},
    callerTokens: new Map(),
    logger: createLogger('test', 'silent'),
    connectionAgeMs,
    tls,
  });
}

test('certificates and their authority are replaced under load, and no call fails', async () => {
  const [before, after] = [await createAuthority(), await createAuthority()];
  await using served = await MountedSecret.create(before);
  await using shown = await MountedSecret.create(before);
  await using server = await startHealth(served.tls, 300);
  const client = createRpcClient(Health, { url: server.url, timeoutMs: 5_000, tls: shown.tls });
  const failed: unknown[] = [];
  let answered = 0;
  let isOver = false;
  const caller = async () => {
    while (!isOver)
      await client.check({}).then(
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
    await expect.poll(() => answered >= target && performance.now() - began > 1_000, { timeout: 30_000 }).toBe(true);
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
  await using old = await MountedSecret.create(before);
  const outdated = createRpcClient(Health, { url: server.url, timeoutMs: 2_000, tls: old.tls });
  await expect(outdated.check({})).rejects.toThrow('try again');
}, 120_000);

test('a peer that falls silent is given up over TLS as it is without', async () => {
  const authority = await createAuthority();
  await using secret = await MountedSecret.create(authority);
  await using server = await startHealth(secret.tls);
  await using proxy = await startProxy(Number(new URL(server.url).port), seeded('tls'));
  const client = createRpcClient(Health, { url: `https://127.0.0.1:${proxy.port}`, timeoutMs: 2_000, tls: secret.tls });
  expect((await client.check({})).status).toBe(1);
  proxy.fault = { kind: 'lost' };
  await expect(client.check({})).rejects.toThrow('try again');
  const began = performance.now();
  const status = async () => (await client.check({}).catch(() => undefined))?.status;
  await expect.poll(status, { timeout: 20_000 }).toBe(1);
  expect(performance.now() - began).toBeLessThan(15_000);
}, 60_000);
