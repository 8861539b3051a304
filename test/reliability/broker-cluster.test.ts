// @module-tag nightly
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { type Broker, startBroker, type WorkQueue } from '@ces/chassis/nats/broker';
import { createLogger } from '@ces/chassis/telemetry/log';
import { freePort } from '@ces/servers/ports';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConfiguredNats, createFolder, startConfiguredNats } from '../support/nats-access.ts';

// A cluster of three servers on the loopback address, with the brokers of the services (promises R7
// and R8).

const POLLING = { timeout: 60_000, interval: 200 };
const MESSAGES = 40;
const QUEUE: WorkQueue = { stream: 'REPLICATED', subject: 'replicated', consumer: 'workers', ackWaitMs: 2_000 };
const logger = createLogger('test', 'silent');
const cleanup = new AsyncDisposableStack();
type Member = ConfiguredNats & { readonly name: string };
let servers: Member[];

beforeAll(async () => {
  const folder = cleanup.use(await createFolder());
  const routes = [await freePort(0), await freePort(0), await freePort(0)];
  const all = routes.map((port) => `nats://127.0.0.1:${port}`).join(', ');
  servers = await Promise.all(
    routes.map(async (port) => {
      const name = `member-${port}`;
      const cluster = `cluster { name: tests, listen: "127.0.0.1:${port}", routes: [${all}] }`;
      return { ...(await startConfiguredNats(folder.path, `server_name: ${name}\n${cluster}`)), name };
    }),
  );
  for (const server of servers) cleanup.use(server);
});
afterAll(() => cleanup.disposeAsync());

test('a stream is kept by as many servers as are asked for, also when it was made with fewer or more', async () => {
  for (const natsReplicas of [1, 3, 1]) {
    await using broker = brokerAt(0, natsReplicas);
    await using _consuming = broker.consume(QUEUE, 1, async () => ({ kind: 'done' }));
    await expect.poll(() => stateOf(QUEUE), POLLING).toMatchObject({ asked: natsReplicas, current: natsReplicas - 1 });
  }
});

test('the leading server is killed and loses its disk: confirmed messages are delivered, and publishing continues', async () => {
  const queue = { ...QUEUE, stream: 'KEPT', subject: 'kept' };
  const opened = Promise.withResolvers<void>();
  const seen = new Set<string>();
  // Like workers of other processes, one on each server; they consume only after the fault.
  const brokers = [0, 1, 2].map((at) => cleanup.use(brokerAt(at, 3)));
  for (const broker of brokers)
    cleanup.use(
      broker.consume(
        queue,
        1,
        async (payload) => {
          seen.add(Buffer.from(payload).toString());
          return { kind: 'done' };
        },
        () => opened.promise,
      ),
    );
  await expect.poll(() => stateOf(queue), POLLING).toMatchObject({ asked: 3, current: 2 });
  const before = await publishAll(brokers, queue, MESSAGES);
  const { leader } = await stateOf(queue);
  const lost = servers.find(({ name }) => name === leader);
  if (!lost) throw new Error(`no server leads: ${leader}`);
  process.kill(lost.pid, 'SIGKILL');
  await rm(lost.storeDirectory, { recursive: true, force: true });
  servers = servers.filter((server) => server !== lost);
  const during = await publishAll(brokers, queue, MESSAGES);
  opened.resolve();
  await expect.poll(() => [...before, ...during].filter((id) => !seen.has(id)), POLLING).toEqual([]);
});

function brokerAt(server: number, natsReplicas: number): Broker {
  const natsUrl = servers[server]?.url ?? '';
  return startBroker({ natsUrl, natsReplicas }, 'cluster test', logger);
}

/** Retries unconfirmed messages, as the outbox publisher does. Resolves with the confirmed ones. */
async function publishAll(brokers: readonly Broker[], queue: WorkQueue, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  for (const [at, id] of ids.entries()) {
    const publish = () => brokers[at % brokers.length]?.publish(queue, Buffer.from(id), id);
    await expect
      .poll(
        () =>
          publish()?.then(
            () => 'confirmed',
            () => 'not confirmed',
          ),
        POLLING,
      )
      .toBe('confirmed');
  }
  return ids;
}

/** `asked`: configured replicas. `current`: followers that are up to date. */
async function stateOf(queue: WorkQueue): Promise<{ asked: number; current: number; leader: string }> {
  const connection = await connect({ servers: servers.map(({ url }) => url) });
  try {
    const manager = await jetstreamManager(connection, { checkAPI: false });
    const { config, cluster } = await manager.streams.info(queue.stream);
    const current = (cluster?.replicas ?? []).filter((one) => one.current).length;
    return { asked: config.num_replicas, current, leader: cluster?.leader ?? '' };
  } catch {
    // The stream does not exist yet, or has no leader.
    return { asked: 0, current: 0, leader: '' };
  } finally {
    await connection.close();
  }
}
