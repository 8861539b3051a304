import { startPeriodicTask } from '@ces/chassis/service/periodic-task';
import { clampFutureInstants } from '../db/clock-set-back.ts';
import { enqueueDue } from '../db/job.ts';
import { LONGEST_PUBLICATION_PAUSE_MS } from '../db/outbox.ts';
import { readQueueState } from '../db/queue-state.ts';
import { expireLate, LONGEST_PAUSE_MS } from '../db/steps.ts';
import type { RunDependencies } from '../execution/execute.ts';
import { EXPIRED, SEARCH_FAILED } from '../model/stored-failure.ts';
import { StepPool } from './step-pool.ts';

/** The next pass takes the rest. */
const BATCH = 500;
const BATCHES_A_PASS = 20;

/**
 * Runs in every process: statements lock the rows that they take. `onEnqueued` is called when a
 * pass has queued jobs for workers.
 */
export function startSweeper(deps: RunDependencies, onEnqueued: () => void): AsyncDisposable {
  const { config, logger } = deps;
  const everyMs = config.sweepIntervalMs;
  if (everyMs === 0) return { [Symbol.asyncDispose]: async () => undefined };
  const steps = new StepPool(deps, () => task.wake());
  const task = startPeriodicTask({
    name: 'sweep',
    everyMs,
    run: async () => {
      if ((await sweep(deps, steps)) > 0) onEnqueued();
    },
    logger,
  });
  return {
    async [Symbol.asyncDispose]() {
      await task[Symbol.asyncDispose]();
      await steps[Symbol.asyncDispose]();
    },
  };
}

/** Does not await the steps, so that slow ones delay no pass. Returns how many jobs it queued. */
async function sweep({ pool, config, logger }: RunDependencies, steps: StepPool): Promise<number> {
  const farthest = {
    leaseMs: config.leaseMs,
    pauseMs: Math.max(config.leaseMs, LONGEST_PAUSE_MS),
    publicationMs: Math.max(config.leaseMs, LONGEST_PUBLICATION_PAUSE_MS),
    deadlineMs: Math.max(config.pendingMs, config.processingMs),
  };
  const brought = await whileFull(() => clampFutureInstants(pool, farthest, BATCH));
  if (brought > 0) logger.warn({ jobs: brought }, 'the clock of the database was set back');
  const { isDue, isLate, queues } = await readQueueState(pool);
  const enqueued = isDue ? await whileFull(() => enqueueDue(pool, config.attempts, BATCH)) : 0;
  const failures = { late: EXPIRED, afterOutage: SEARCH_FAILED };
  const expired = isLate ? await whileFull(() => expireLate(pool, failures, BATCH)) : 0;
  // Only `enqueueDue` and `expireLate` can have added to the queue of steps in this pass.
  const haveSteps = enqueued + expired > 0 ? (await readQueueState(pool)).queues.has('step') : queues.has('step');
  const begun = haveSteps ? await steps.begin() : 0;
  if (expired + begun > 0) logger.info({ expired, steps: begun }, 'swept');
  return enqueued;
}

async function whileFull(batch: () => Promise<number>): Promise<number> {
  let sum = 0;
  for (let times = 0; times < BATCHES_A_PASS; times += 1) {
    const count = await batch();
    sum += count;
    if (count < BATCH) break;
  }
  return sum;
}
