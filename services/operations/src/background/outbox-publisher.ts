import { create, toBinary } from '@bufbuild/protobuf';
import { crashPoint } from '@ces/chassis/crash-point';
import type { Broker } from '@ces/chassis/nats/broker';
import type { Pool } from '@ces/chassis/postgres/pool';
import type { Logger } from '@ces/chassis/telemetry/log';
import { OperationReadySchema } from '@ces/proto/ces/events/v1/events_pb.ts';
import type { WorkQueueNames } from '@ces/proto/streams';
import { takeRings } from '../db/job.ts';
import { Loop } from './loop.ts';
import type { Waker } from './worker.ts';

const BATCH = 100;
/** A job that nobody has claimed rings again after so long, in milliseconds. Workers look by themselves meanwhile. */
const RING_AGAIN_MS = 30_000;

/** Rings for jobs that wait: the job table is the outbox, selected by time and never by position (reliability.md 2.6). */
export function startRelay(
  pool: Pool,
  broker: Broker,
  bells: WorkQueueNames,
  intervalMs: number,
  logger: Logger,
): AsyncDisposable & Waker {
  const loop = new Loop(
    intervalMs,
    async () => {
      if (broker.isConnected()) await relayOnce(pool, broker, bells);
    },
    (error) => logger.warn({ err: error }, 'bells not rung; workers look by themselves'),
  );
  return loop;
}

/** One pass. A ring that is lost rings again. */
export async function relayOnce(pool: Pool, broker: Broker, bells: WorkQueueNames): Promise<number> {
  const rings = await takeRings(pool, BATCH, RING_AGAIN_MS);
  await Promise.all(
    rings.map(({ operationId, rings: epoch, traceparent }) =>
      broker.publish(
        bells,
        toBinary(OperationReadySchema, create(OperationReadySchema, { operationId })),
        `${operationId}:${epoch}`,
        traceparent,
      ),
    ),
  );
  if (rings.length > 0) crashPoint('relay.rung');
  return rings.length;
}
