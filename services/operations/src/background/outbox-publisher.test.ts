import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { fromBinary } from '@bufbuild/protobuf';
import { type Broker, startBroker } from '@ces/chassis/nats/broker';
import { createPool, inTransaction, type Pool } from '@ces/chassis/postgres/pool';
import { OperationReadySchema } from '@ces/proto/ces/events/v1/events_pb.ts';
import { operationsQueue, type WorkQueueNames } from '@ces/proto/streams';
import { createTestDatabase, type TestDatabase } from '@ces/test/support/database.ts';
import { type Random, seeded } from '@ces/test/support/random.ts';
import { printedSeed, VOLUME_TIMEOUT_MS, volumeOf } from '@ces/test/support/volume.ts';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newOperation } from '../../test-support/new-operation.ts';
import { logger } from '../../test-support/stack.ts';
import { insertCreated } from '../db/operation.ts';
import { handOverToWorkers } from '../db/transition.ts';
import { publishDue } from './outbox-publisher.ts';

// R20: commits out of id order, concurrent open transactions, several publishers.
const WRITERS = 64;
const ROUNDS = volumeOf(2, 2_400);
const PUBLISHERS = 3;
const OPEN_MS = 500;

const cleanup = new AsyncDisposableStack();
let database: TestDatabase;
let pool: Pool;
let broker: Broker;

beforeAll(async () => {
  database = cleanup.use(await createTestDatabase('operations'));
  pool = createPool({ connectionString: database.url, max: WRITERS + PUBLISHERS, applicationName: 'test', logger });
  cleanup.defer(() => pool.end());
  broker = cleanup.use(startBroker({ natsUrl: inject('natsUrl') }, 'outbox test', logger));
});
afterAll(() => cleanup.disposeAsync());

class RolledBack extends Error {}

const LEASE = { owner: 'me', leaseMs: 60_000, pendingMs: 3_600_000, processingMs: 60_000, traceparent: undefined };

async function write(writer: number, random: Random): Promise<{ committed: bigint[]; lost: number }> {
  const committed: bigint[] = [];
  let lost = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    let id = 0n;
    const isLost = random.chance(0.1);
    const written = inTransaction(pool, async (client) => {
      const operation = await insertCreated(
        client,
        newOperation({ requestKey: `${writer}/${round}`, background: true }),
        LEASE,
      );
      id = operation?.id ?? 0n;
      await handOverToWorkers(client, id, 'me', 0);
      await client.query('select pg_sleep($1)', [random.below(OPEN_MS) / 1000]);
      if (isLost) throw new RolledBack();
    });
    await written.catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error;
    });
    if (isLost) lost += 1;
    else committed.push(id);
  }
  return { committed, lost };
}

function startPublishers(queue: WorkQueueNames): AsyncDisposable {
  const stop = new AbortController();
  const outbox = { pool, broker, queue, waitingSubject: 'outbox.waiting', logger, atCrashPoint: () => undefined };
  const publisher = async () => {
    while (!stop.signal.aborted) if ((await publishDue(outbox)) === 0) await pause(10);
  };
  const publishers = Promise.all(Array.from({ length: PUBLISHERS }, publisher));
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await publishers;
    },
  };
}

test(
  `${PUBLISHERS} publishers publish every job of ${WRITERS} writers that commit out of order, and none that was rolled back`,
  async () => {
    const random = seeded(String(printedSeed()));
    const queue = operationsQueue(`outbox${randomBytes(4).toString('hex')}`);
    const consumed = new Map<bigint, number>();
    await using _consuming = broker.consume(queue, 8, async (payload) => {
      const { operationId } = fromBinary(OperationReadySchema, payload);
      consumed.set(operationId, (consumed.get(operationId) ?? 0) + 1);
      return { kind: 'done' };
    });
    await expect.poll(() => broker.isConnected()).toBe(true);
    await using publishers = startPublishers(queue);
    const writers = await Promise.all(
      Array.from({ length: WRITERS }, (_, writer) => write(writer, random.branch(String(writer)))),
    );
    const committed = writers.flatMap((writer) => writer.committed);
    const missing = () => committed.filter((id) => !consumed.has(id)).length;
    await expect.poll(missing).toBe(0);
    await publishers[Symbol.asyncDispose]();
    const lost = writers.reduce((sum, one) => sum + one.lost, 0);
    const messages = [...consumed.values()].reduce((sum, times) => sum + times, 0);
    console.log(`${committed.length} jobs committed, ${lost} rolled back, ${messages} messages`);
    expect([...consumed.keys()].sort()).toEqual(committed.sort());
  },
  VOLUME_TIMEOUT_MS,
);
