import { setTimeout as pause } from 'node:timers/promises';
import type { Broker, MessageOutcome } from '@ces/chassis/nats/broker';
import { type PeriodicTask, startPeriodicTask } from '@ces/chassis/service/periodic-task';
import type { WorkQueueNames } from '@ces/proto/streams';
import { claimDue } from '../db/job.ts';
import type { RunDependencies } from '../execution/execute.ts';
import type { RunPool } from '../execution/run-pool.ts';

/** How soon a message is delivered again, perhaps elsewhere, when this process has no slot free, in milliseconds. */
const BUSY_PAUSE_MS = 250;

/** Messages handled at once; each is one look into the job table. */
const MESSAGES_AT_ONCE = 8;

/** How long a quarantined job runs before other jobs are claimed beside it, in milliseconds. */
const QUARANTINE_MS = 3_000;

/**
 * Runs due jobs: when a message says so, when a run has ended, and every `pollIntervalMs` in any case, so that jobs are
 * done without a broker (promise R8). The claim is the authority; a message only says "look".
 */
export function startWorker(
  deps: RunDependencies,
  runPool: RunPool,
  broker: Broker,
  queue: WorkQueueNames,
): PeriodicTask {
  const { config, logger, pool, owner } = deps;
  if (config.workers === 0) return IDLE;
  const claim = (count: number, which: 'quarantined' | 'ordinary') =>
    claimDue(pool, count, config.attempts, { ...config, owner }, which);
  /** A job that may have ended its process begins without others, so that it ends theirs with it only once (promise R10). */
  let inQuarantine = false;
  const endQuarantine = () => {
    inQuarantine = false;
    task.wake();
  };
  const run = async () => {
    const free = runPool.freeSlots('queued');
    if (free <= 0 || inQuarantine) return;
    const [quarantined] = await claim(1, 'quarantined');
    inQuarantine = quarantined !== undefined;
    if (quarantined)
      void Promise.race([runPool.start('queued', quarantined), pause(QUARANTINE_MS)]).then(endQuarantine);
    else for (const job of await claim(free, 'ordinary')) void runPool.start('queued', job).then(() => task.wake());
  };
  const task = startPeriodicTask({ name: 'claiming of jobs', everyMs: config.pollIntervalMs, run, logger });
  const consuming = broker.consume(queue, MESSAGES_AT_ONCE, async (): Promise<MessageOutcome> => {
    if (runPool.freeSlots('queued') <= 0) return { kind: 'retry', afterMs: BUSY_PAUSE_MS };
    task.wake();
    return { kind: 'done' };
  });
  return {
    wake: () => task.wake(),
    async [Symbol.asyncDispose]() {
      await consuming[Symbol.asyncDispose]();
      await task[Symbol.asyncDispose]();
    },
  };
}

/** A process without workers runs no job and consumes no message. */
const IDLE: PeriodicTask = { wake: () => undefined, [Symbol.asyncDispose]: async () => undefined };
