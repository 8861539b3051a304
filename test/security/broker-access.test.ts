import { PassThrough } from 'node:stream';
import { type Broker, startBroker, type WorkQueue } from '@ces/chassis/nats/broker';
import type { BrokerConfig } from '@ces/chassis/nats/settings';
import { createLogger } from '@ces/chassis/telemetry/log';
import { freePort } from '@ces/servers/ports';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, nkeys } from '@nats-io/transport-node';
import { expect, test } from 'vitest';
import { createAuthority } from '../support/certificates.ts';
import { ACCESSES, allowNkey, createFolder, startConfiguredNats, writeSeed } from '../support/nats-access.ts';

const POLLING = { timeout: 20_000, interval: 100 };

/** A broker and what it has logged. */
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

test('an nkey that the server learns only after a restart opens it without a restart of the process', async () => {
  await using folder = await createFolder();
  const [before, after] = [nkeys.createUser(), nkeys.createUser()];
  const natsNkeyFile = await writeSeed(folder.path, 'own', before);
  const first = await startConfiguredNats(folder.path, allowNkey(before));
  const { broker } = brokerOf({ natsUrl: first.url, natsNkeyFile });
  await using _broker = broker;
  await expect.poll(() => broker.isConnected(), POLLING).toBe(true);
  await first[Symbol.asyncDispose]();
  await using second = await startConfiguredNats(folder.path, allowNkey(after), first.port);
  await expect
    .poll(() => second.log().then((log) => log.match(/authentication error/g)?.length ?? 0), POLLING)
    .toBeGreaterThan(3);
  expect(broker.isConnected()).toBe(false);
  await writeSeed(folder.path, 'own', after);
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

test('an address with tls:// is never spoken to in plain text', async () => {
  await using folder = await createFolder();
  await using server = await startConfiguredNats(folder.path, 'authorization { token: right }');
  const { broker, logged } = brokerOf({ natsUrl: server.url.replace('nats:', 'tls:'), natsToken: 'right' });
  await using _broker = broker;
  await expect.poll(logged, POLLING).toContain("server does not support 'tls'");
  expect(broker.isConnected()).toBe(false);
});

const QUEUE: WorkQueue = { stream: 'REPLICATED', subject: 'replicated', consumer: 'workers', ackWaitMs: 2_000 };

test('a stream is kept by as many servers as are asked for, also when it was made with fewer or more', async () => {
  await using folder = await createFolder();
  const routes = [await freePort(0), await freePort(0), await freePort(0)];
  const all = routes.map((port) => `nats://127.0.0.1:${port}`).join(', ');
  const member = (port: number) =>
    startConfiguredNats(
      folder.path,
      `server_name: member-${port}\ncluster { name: tests, listen: "127.0.0.1:${port}", routes: [${all}] }`,
    );
  const [first, ...others] = await Promise.all(routes.map(member));
  await using cleanup = new AsyncDisposableStack();
  for (const server of [first, ...others]) if (server) cleanup.use(server);
  const natsUrl = first?.url ?? '';
  const connection = await connect({ servers: natsUrl });
  cleanup.defer(() => connection.close());
  const replicas = async () => {
    const manager = await jetstreamManager(connection, { checkAPI: false });
    const { config, cluster } = await manager.streams.info(QUEUE.stream);
    return { asked: config.num_replicas, others: cluster?.replicas?.length ?? 0 };
  };
  for (const natsReplicas of [1, 3, 1]) {
    await using broker = brokerOf({ natsUrl, natsReplicas }).broker;
    await using _consuming = broker.consume(QUEUE, 1, async () => ({ kind: 'done' }));
    const found = () => replicas().catch(() => undefined);
    await expect.poll(found, POLLING).toEqual({ asked: natsReplicas, others: natsReplicas - 1 });
  }
}, 60_000);
