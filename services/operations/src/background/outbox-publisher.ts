import type { Broker } from '@ces/chassis/nats/broker';
import type { Pool } from '@ces/chassis/postgres/pool';
import { type PeriodicTask, startPeriodicTask } from '@ces/chassis/service/periodic-task';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { WorkQueueNames } from '@ces/proto/streams';
import type { AtCrashPoint } from '../crash-points.ts';
import { LOOK_AGAIN_MS, recordMessages, takeUnpublished } from '../db/outbox.ts';
import { ReadyMessages } from './ready-messages.ts';

export interface OutboxOptions {
  readonly pool: Pool;
  readonly broker: Broker;
  readonly queue: WorkQueueNames;
  readonly waitingSubject: string;
  readonly logger: Logger;
  readonly atCrashPoint: AtCrashPoint;
}

const BATCH = 100;
const BATCHES_A_PASS = 100;

/** The job table is the outbox and is read by time, never by position (decision 0003). */
export function startOutboxPublisher(options: OutboxOptions, everyMs: number): PeriodicTask {
  const { broker, logger } = options;
  const run = async (signal: AbortSignal) => {
    for (let batches = 0; batches < BATCHES_A_PASS && broker.isConnected() && !signal.aborted; batches += 1)
      if ((await publishDue(options)) < BATCH) return;
  };
  return startPeriodicTask({ name: 'publishing of jobs', everyMs, run, logger });
}

/** Returns the batch's size. Rejects without the broker's confirmation; then it is repeated. */
export async function publishDue(options: OutboxOptions): Promise<number> {
  const { pool, broker, queue, waitingSubject, logger, atCrashPoint } = options;
  const messages = new ReadyMessages(broker, queue, logger);
  const jobs = await takeUnpublished(pool, BATCH, LOOK_AGAIN_MS);
  if (jobs.length === 0) return 0;
  broker.notify(waitingSubject);
  const published = await Promise.allSettled(
    jobs.map(async (job) => ({ ...job, message: await messages.publish(job) })),
  );
  const kept = published.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const claimed = await recordMessages(pool, kept);
  await Promise.all(
    kept
      .filter(({ operationId }) => claimed.has(operationId))
      .map((job) => messages.remove(job.operationId, job.message)),
  );
  for (const one of published) if (one.status === 'rejected') throw one.reason;
  atCrashPoint('outbox.published');
  return jobs.length;
}
