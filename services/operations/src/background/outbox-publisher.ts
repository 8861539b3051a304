import { create, toBinary } from '@bufbuild/protobuf';
import type { Broker } from '@ces/chassis/nats/broker';
import type { Pool } from '@ces/chassis/postgres/pool';
import { type PeriodicTask, startPeriodicTask } from '@ces/chassis/service/periodic-task';
import type { Logger } from '@ces/chassis/telemetry/log';
import { OperationReadySchema } from '@ces/proto/ces/events/v1/events_pb.ts';
import type { WorkQueueNames } from '@ces/proto/streams';
import type { AtCrashPoint } from '../crash-points.ts';
import { takeUnpublished } from '../db/outbox.ts';

export interface OutboxOptions {
  readonly pool: Pool;
  readonly broker: Broker;
  readonly queue: WorkQueueNames;
  readonly logger: Logger;
  readonly atCrashPoint: AtCrashPoint;
}

const BATCH = 100;
/** A job that no process has claimed is published again after so long, in milliseconds. Workers look by themselves meanwhile. */
const PUBLISH_AGAIN_MS = 30_000;

/** Publishes waiting jobs: the job table is the outbox, read by time and never by position (decision 0003). */
export function startOutboxPublisher(options: OutboxOptions, everyMs: number): PeriodicTask {
  const { broker, logger } = options;
  const run = async () => {
    if (broker.isConnected()) await publishDue(options);
  };
  return startPeriodicTask({ name: 'publishing of jobs', everyMs, run, logger });
}

/** One pass. A message that is lost is published again. */
export async function publishDue({ pool, broker, queue, atCrashPoint }: OutboxOptions): Promise<number> {
  const jobs = await takeUnpublished(pool, BATCH, PUBLISH_AGAIN_MS);
  await Promise.all(
    jobs.map(({ operationId, publications, traceparent }) =>
      broker.publish(
        queue,
        toBinary(OperationReadySchema, create(OperationReadySchema, { operationId })),
        `${operationId}:${publications}`,
        traceparent,
      ),
    ),
  );
  if (jobs.length > 0) atCrashPoint('outbox.published');
  return jobs.length;
}
