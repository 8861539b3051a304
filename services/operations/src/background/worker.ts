import { setTimeout as pause } from 'node:timers/promises';
import type { Broker, MessageOutcome } from '@ces/chassis/nats/broker';
import type { WorkQueueNames } from '@ces/proto/streams';
import { claimDue } from '../db/job.ts';
import type { RunTools } from '../dependencies.ts';
import type { Runs } from '../execution/run-pool.ts';
import { Loop } from './loop.ts';

/** How soon a bell rings again, perhaps elsewhere, when this process has no worker free, in milliseconds. */
const BUSY_PAUSE_MS = 250;

/** Bells answered at once; an answer is one look into the job table. */
const BELLS_AT_ONCE = 8;

/** How long suspect work runs before other work is claimed beside it, in milliseconds. */
const ALONE_MS = 3_000;

/**
 * Takes due work from the job table: when a bell rings, when a run has ended, and every `pollIntervalMs` in any case, so that
 * work goes on without a broker. The claim is the authority; a bell only says "look".
 */
export function startWorker(
  tools: RunTools,
  runs: Runs,
  broker: Broker,
  bells: WorkQueueNames,
): AsyncDisposable & Waker {
  const { config, logger, pool, owner } = tools;
  if (config.workers === 0) return IDLE;
  const claim = (count: number, which: 'suspect' | 'other') =>
    claimDue(pool, count, config.attempts, { ...config, owner }, which);
  /** Work that may have ended its process begins alone, so that it takes the same others with it only once (reliability.md R10). */
  let alone = false;
  const letOthersIn = () => {
    alone = false;
    loop.wake();
  };
  const loop = new Loop(
    config.pollIntervalMs,
    async () => {
      const free = runs.free('queued');
      if (free <= 0 || alone) return;
      const [suspect] = await claim(1, 'suspect');
      alone = suspect !== undefined;
      if (suspect) void Promise.race([runs.begin('queued', suspect), pause(ALONE_MS)]).then(letOthersIn);
      else for (const one of await claim(free, 'other')) void runs.begin('queued', one).then(() => loop.wake());
    },
    (error) => logger.warn({ err: error }, 'work not claimed; trying again'),
  );
  const answering = broker.consume(bells, BELLS_AT_ONCE, async (): Promise<MessageOutcome> => {
    if (runs.free('queued') <= 0) return { kind: 'retry', afterMs: BUSY_PAUSE_MS };
    loop.wake();
    return { kind: 'done' };
  });
  return {
    wake: () => loop.wake(),
    async [Symbol.asyncDispose]() {
      await answering[Symbol.asyncDispose]();
      await loop[Symbol.asyncDispose]();
    },
  };
}

/** A process without workers takes no work and answers no bell. */
const IDLE: AsyncDisposable & Waker = { wake: () => undefined, [Symbol.asyncDispose]: async () => undefined };

export interface Waker {
  /** Looks at once. */
  wake(): void;
}
