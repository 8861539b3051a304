// @module-tag nightly
import { copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { parseEnv } from 'node:util';
import { fillVolumes } from '@ces/chart/secrets/volumes';
import { type Broker, startBroker } from '@ces/chassis/nats/broker';
import type { BrokerConfig } from '@ces/chassis/nats/settings';
import { createLogger } from '@ces/chassis/telemetry/log';
import { expect, test } from 'vitest';
import { type Authority, createAuthority } from '../support/certificates.ts';
import { MountedSecret } from '../support/mounted-secret.ts';
import { ACCESSES, createFolder, filesOf, startConfiguredNats } from '../support/nats-access.ts';

const POLLING = { timeout: 60_000, interval: 100 };

function brokerOf(config: BrokerConfig): { broker: Broker; logged: () => string } {
  const lines = new PassThrough();
  let text = '';
  lines.on('data', (chunk) => {
    text += chunk;
  });
  return { broker: startBroker(config, 'access test', createLogger('test', 'debug', lines)), logged: () => text };
}

test.each(Object.entries(ACCESSES))('%s opens the broker, and no other one does', async (_way, prepare) => {
  await using folder = await createFolder();
  const { configuration, right, wrong } = await prepare(folder.path);
  await using server = await startConfiguredNats(folder.path, configuration);
  const known = brokerOf({ natsUrl: server.url, ...right });
  await using broker = known.broker;
  const stranger = brokerOf({ natsUrl: server.url, ...wrong });
  await using other = stranger.broker;
  const nobody = brokerOf({ natsUrl: server.url });
  await using third = nobody.broker;
  const seen: string[] = [];
  using _subscription = broker.subscribe('access.*', (_payload, subject) => seen.push(subject));
  const notified = () => {
    broker.notify('access.asked');
    return seen.length;
  };
  await expect.poll(notified, POLLING).toBeGreaterThan(0);
  for (const { logged } of [stranger, nobody]) await expect.poll(logged, POLLING).toMatch(/authorization violation/i);
  expect([other, third].map((one) => one.isConnected())).toEqual([false, false]);
  expect(`${known.logged()}${stranger.logged()}`).not.toMatch(/(right|wrong)-secret/);
});

test.each(['a name and a password in a file', 'a token in a file', 'an nkey', 'a file of credentials'])(
  '%s is renewed on both sides without a restart of the process',
  async (way) => {
    await using folder = await createFolder();
    await using later = await createFolder();
    const prepare = ACCESSES[way];
    const [before, after] = [await prepare?.(folder.path), await prepare?.(later.path, 'new-secret')];
    const first = await startConfiguredNats(folder.path, before?.configuration ?? '');
    const { broker, logged } = brokerOf({ natsUrl: first.url, ...before?.right });
    await using _broker = broker;
    await expect.poll(() => broker.isConnected(), POLLING).toBe(true);
    await first[Symbol.asyncDispose]();
    await using second = await startConfiguredNats(later.path, after?.configuration ?? '', first.port);
    await expect
      .poll(() => second.log().then((log) => log.match(/authentication error/g)?.length ?? 0), POLLING)
      .toBeGreaterThan(3);
    expect(broker.isConnected()).toBe(false);
    for (const [setting, file] of filesOf(before?.right ?? {})) await copyFile(String(after?.right[setting]), file);
    await expect.poll(() => broker.isConnected(), POLLING).toBe(true);
    expect(logged()).not.toMatch(/(right|new)-secret/);
  },
);

test('certificates and authority are renewed on both sides without a restart of the process', async () => {
  await using folder = await createFolder();
  await using later = await createFolder();
  const [before, after] = [await createAuthority(), await createAuthority()];
  const serve = async (where: string, authority: Authority, port = 0) => {
    const { certFile, keyFile, caFile } = await authority.issue(where, ['localhost', '127.0.0.1']);
    const files = `cert_file: "${certFile}", key_file: "${keyFile}", ca_file: "${caFile}"`;
    return await startConfiguredNats(where, `tls { ${files}, verify: true }`, port);
  };
  const first = await serve(folder.path, before);
  await using secret = await MountedSecret.create(before, ['operations']);
  const { caFile, certFile, keyFile } = secret.files;
  const natsUrl = first.url.replace('nats:', 'tls:');
  const { broker } = brokerOf({ natsUrl, natsCaFile: caFile, natsCertFile: certFile, natsKeyFile: keyFile });
  await using _broker = broker;
  await expect.poll(() => broker.isConnected(), POLLING).toBe(true);
  await first[Symbol.asyncDispose]();
  await using second = await serve(later.path, after, first.port);
  const refused = async () => (await second.log()).match(/TLS handshake error/g)?.length ?? 0;
  await expect.poll(refused, POLLING).toBeGreaterThan(3);
  expect(broker.isConnected()).toBe(false);
  await secret.replace(after, after.pem);
  await expect.poll(() => broker.isConnected(), POLLING).toBe(true);
});

test('with TLS the server is checked by its CA and shown a certificate; without, nothing is said to it', async () => {
  await using folder = await createFolder();
  const authority = await createAuthority();
  const { certFile, keyFile, caFile } = await authority.issue(folder.path, ['localhost', '127.0.0.1']);
  const tls = `tls { cert_file: "${certFile}", key_file: "${keyFile}", ca_file: "${caFile}", verify: true }`;
  await using server = await startConfiguredNats(folder.path, tls);
  const natsUrl = server.url.replace('nats:', 'tls:');
  const whole = brokerOf({ natsUrl, natsCaFile: caFile, natsCertFile: certFile, natsKeyFile: keyFile });
  await using broker = whole.broker;
  await expect.poll(() => broker.isConnected(), POLLING).toBe(true);
  const unproven = brokerOf({ natsUrl, natsCaFile: caFile });
  await using second = unproven.broker;
  const untrusting = brokerOf({ natsUrl, natsCertFile: certFile, natsKeyFile: keyFile });
  await using third = untrusting.broker;
  await expect.poll(unproven.logged, POLLING).toContain('broker not reachable');
  await expect.poll(untrusting.logged, POLLING).toMatch(/self-signed|unable to (verify|get)/);
  expect([second, third].map((one) => one.isConnected())).toEqual([false, false]);
});

test('the broker of the compose file lets in who has the password of its volume, and no other one', async () => {
  await using folder = await createFolder();
  await fillVolumes(folder.path);
  const file = await readFile(path.join(folder.path, 'nats/nats.conf'), 'utf8');
  const settings = parseEnv(await readFile(path.join(folder.path, 'lookup/settings.env'), 'utf8'));
  const password = settings.CES_NATS_PASSWORD ?? '';
  // The second password has a form with which the server once failed to start.
  for (const drawn of [password, password.replace(/_.*/, `_4e97${'0'.repeat(60)}`)]) {
    // Storage and port do not matter here.
    const configuration = file.replace(/jetstream \{[^}]*\}|^port:.*/gm, '').replace(password, drawn);
    await using server = await startConfiguredNats(folder.path, configuration);
    const known = brokerOf({ natsUrl: server.url, natsUser: 'ces', natsPassword: drawn });
    await using broker = known.broker;
    const guessing = brokerOf({ natsUrl: server.url, natsUser: 'ces', natsPassword: `${drawn}0` });
    await using stranger = guessing.broker;
    const silent = brokerOf({ natsUrl: server.url });
    await using nobody = silent.broker;
    await expect.poll(() => broker.isConnected(), POLLING).toBe(true);
    for (const { logged } of [guessing, silent]) await expect.poll(logged, POLLING).toMatch(/authorization violation/i);
    expect([stranger, nobody].map((one) => one.isConnected())).toEqual([false, false]);
    expect(`${known.logged()}${guessing.logged()}${await server.log()}`).not.toContain(drawn);
  }
});

test('an address with tls:// is never spoken to in plain text', async () => {
  await using folder = await createFolder();
  await using server = await startConfiguredNats(folder.path, 'authorization { token: right }');
  const { broker, logged } = brokerOf({ natsUrl: server.url.replace('nats:', 'tls:'), natsToken: 'right' });
  await using _broker = broker;
  await expect.poll(logged, POLLING).toContain("server does not support 'tls'");
  expect(broker.isConnected()).toBe(false);
});
