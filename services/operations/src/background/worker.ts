import type { Broker, MessageOutcome } from '@ces/chassis/nats/broker';
import { type PeriodicTask, startPeriodicTask } from '@ces/chassis/service/periodic-task';
import type { WorkQueueNames } from '@ces/proto/streams';
import { enqueueDue } from '../db/job.ts';
import { isWaiting } from '../db/outbox.ts';
import { readQueueState } from '../db/queue-state.ts';
import type { RunDependencies } from '../execution/execute.ts';
import type { RunPool } from '../execution/run-pool.ts';
import { AsyncCondition } from '../operation/async-condition.ts';
import { JobClaimer } from './job-claimer.ts';
import { Quarantine } from './quarantine.ts';
import { operationOf, ReadyMessages } from './ready-messages.ts';

/** Redelivery delay of a message whose job is taken, and the longest pause of the consumer. */
const WAIT_ON_MS = 1_000;

const ENQUEUE_BATCH = 500;

export interface WorkerNames {
  readonly queue: WorkQueueNames;
  readonly waitingSubject: string;
}

/**
 * Runs jobs after a notification, a run and every `pollIntervalMs`, so that they run without a
 * broker (promise R8). The claim decides; a message is only a hint.
 */
export function startWorker(
  deps: RunDependencies,
  runPool: RunPool,
  broker: Broker,
  { queue, waitingSubject }: WorkerNames,
): PeriodicTask {
  const { config, logger, pool } = deps;
  if (config.workers === 0) return IDLE;
  const messages = new ReadyMessages(broker, queue, logger);
  const inHand = new Set<bigint>();
  const change = new AsyncCondition();
  const wake = () => {
    change.notifyAll();
    task.wake();
  };
  const dueJobs = createDueJobs(deps, runPool, {
    onClaimed: ({ operation, message }) => {
      if (message !== undefined && !inHand.has(operation.id)) void messages.remove(operation.id, message);
    },
    onEnded: wake,
  });
  const passes = new Passes(dueJobs.claim);
  const task = startPeriodicTask({
    name: 'claiming of jobs',
    everyMs: config.pollIntervalMs,
    run: () => passes.pass(),
    logger,
  });
  /** If one message's job cannot be claimed, later ones cannot either, until something changes. */
  let isHeldUp = false;
  const consuming = broker.consume(
    queue,
    1,
    async (payload): Promise<MessageOutcome> => {
      const id = operationOf(payload);
      inHand.add(id);
      try {
        await passes.next(() => task.wake());
        isHeldUp = await isWaiting(pool, id);
        return isHeldUp ? { kind: 'retry', afterMs: WAIT_ON_MS } : { kind: 'done' };
      } finally {
        inHand.delete(id);
      }
    },
    async (signal) => {
      if (isHeldUp) await change.wait(WAIT_ON_MS, signal);
      while (!signal.aborted && !dueJobs.canClaim()) await change.wait(WAIT_ON_MS, signal);
    },
  );
  const notified = broker.subscribe(waitingSubject, () => task.wake());
  return {
    wake: () => task.wake(),
    async [Symbol.asyncDispose]() {
      notified[Symbol.dispose]();
      await consuming[Symbol.asyncDispose]();
      await task[Symbol.asyncDispose]();
    },
  };
}

interface DueJobs {
  claim(): Promise<void>;
  canClaim(): boolean;
}

/** Jobs of the quarantine one at a time. */
function createDueJobs(
  deps: RunDependencies,
  runPool: RunPool,
  events: ConstructorParameters<typeof JobClaimer>[2],
): DueJobs {
  const { config, pool } = deps;
  const claimer = new JobClaimer(deps, runPool, events);
  const quarantine = new Quarantine(events.onEnded);
  const startSuspect = async () => {
    const [run] = await claimer.start('quarantine', 'queued', 1);
    if (run) quarantine.begin(run);
    return run !== undefined;
  };
  const enqueueAllDue = async () => {
    const waiting = await readQueueState(pool);
    if (!waiting.isDue) return waiting.queues;
    while ((await enqueueDue(pool, config.attempts, ENQUEUE_BATCH)) === ENQUEUE_BATCH);
    return (await readQueueState(pool)).queues;
  };
  const claim = async () => {
    const nonEmpty = await enqueueAllDue();
    if (quarantine.isOccupied) return;
    const hasSuspects = nonEmpty.has('quarantine');
    if (hasSuspects && quarantine.isRested && (await startSuspect())) return;
    if (nonEmpty.has('run')) await claimer.start('run', 'queued');
    if (nonEmpty.has('sources')) await claimer.start('sources', 'sources');
    if (hasSuspects && runPool.freeSlots('queued') === config.workers) await startSuspect();
  };
  return { claim, canClaim: () => !quarantine.isOccupied && runPool.freeSlots('queued') > 0 };
}

class Passes {
  readonly #run: () => Promise<void>;
  readonly #end = new AsyncCondition();
  #begun = 0;
  #ended = 0;

  constructor(run: () => Promise<void>) {
    this.#run = run;
  }

  async pass(): Promise<void> {
    this.#begun += 1;
    try {
      await this.#run();
    } finally {
      this.#ended = this.#begun;
      this.#end.notifyAll();
    }
  }

  /** Resolves when a pass that began after this call has ended. `wake` starts one. */
  async next(wake: () => void): Promise<void> {
    const wanted = this.#begun + 1;
    wake();
    for (let looks = 0; looks < 10 && this.#ended < wanted; looks += 1) await this.#end.wait(WAIT_ON_MS);
  }
}

/** A process without workers runs no job and consumes no message. */
const IDLE: PeriodicTask = { wake: () => undefined, [Symbol.asyncDispose]: async () => undefined };
