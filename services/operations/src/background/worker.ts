import type { Broker, MessageOutcome } from '@ces/chassis/nats/broker';
import { type PeriodicTask, startPeriodicTask } from '@ces/chassis/service/periodic-task';
import type { WorkQueueNames } from '@ces/proto/streams';
import { claimInTurn } from '../db/claim.ts';
import { lineUp } from '../db/job.ts';
import type { Line } from '../db/turns.ts';
import type { RunDependencies } from '../execution/execute.ts';
import type { RunPool } from '../execution/run-pool.ts';
import type { StepOutcome } from '../operation/state-machine.ts';
import { Quarantine } from './quarantine.ts';

/** How soon a message is delivered again, perhaps elsewhere, when this process has no slot free, in milliseconds. */
const BUSY_PAUSE_MS = 250;

/** Messages handled at once; each is one look into the job table. */
const MESSAGES_AT_ONCE = 8;

/** Jobs lined up by one look at most. */
const LINED_UP = 500;

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
  const { config, logger, pool } = deps;
  if (config.workers === 0) return IDLE;
  const lines = new Lines(deps, runPool, () => task.wake());
  const quarantine = new Quarantine(() => task.wake());
  const startSuspect = async () => {
    const [run] = await lines.start('quarantine', 'queued', 1);
    if (run) quarantine.begin(run);
    return run !== undefined;
  };
  const run = async () => {
    while ((await lineUp(pool, config.attempts, LINED_UP)) === LINED_UP);
    if (quarantine.isOccupied || (quarantine.isRested && (await startSuspect()))) return;
    await lines.start('run', 'queued');
    await lines.start('sources', 'sources');
    if (runPool.freeSlots('queued') === config.workers) await startSuspect();
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

/** The lines that this process takes jobs from, and whose turn was last in each. */
class Lines {
  readonly #deps: RunDependencies;
  readonly #runPool: RunPool;
  readonly #onEnded: () => void;
  readonly #after = new Map<Line, bigint>();

  constructor(deps: RunDependencies, runPool: RunPool, onEnded: () => void) {
    this.#deps = deps;
    this.#runPool = runPool;
    this.#onEnded = onEnded;
  }

  /** Claims and starts jobs of a line while slots of a kind are free, at most `max`. */
  async start(line: Line, kind: 'queued' | 'sources', max = Number.POSITIVE_INFINITY): Promise<Promise<StepOutcome>[]> {
    const { pool, config, owner } = this.#deps;
    const runs: Promise<StepOutcome>[] = [];
    for (;;) {
      const count = Math.min(this.#runPool.freeSlots(kind), max - runs.length);
      if (count <= 0) return runs;
      const turns = {
        line,
        count,
        after: this.#after.get(line) ?? 0n,
        running: this.#runPool.runningOf(kind),
        accountBound: this.#runPool.accountBound(kind),
      };
      const { claims, lastAccount } = await claimInTurn(pool, turns, config.attempts, { ...config, owner });
      if (lastAccount === undefined) return runs;
      this.#after.set(line, lastAccount);
      for (const claim of claims) {
        const run = this.#runPool.start(kind, claim);
        void run.then(this.#onEnded);
        runs.push(run);
      }
    }
  }
}

/** A process without workers runs no job and consumes no message. */
const IDLE: PeriodicTask = { wake: () => undefined, [Symbol.asyncDispose]: async () => undefined };
