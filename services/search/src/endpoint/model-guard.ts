import type { Clock } from '@ces/chassis/service/clock';
import type { Logger } from '@ces/chassis/telemetry/log';
import { type Counter, metrics } from '@opentelemetry/api';
import type { ModelBounds } from '../ranking/model-bounds.ts';
import { createCircuit } from './circuit.ts';
import { EndpointFailure } from './endpoint.ts';

export interface ModelGuard {
  /** Undefined if the model is busy, paused or fails. Throws if the caller's signal aborts. */
  ask<T>(work: (signal: AbortSignal) => Promise<T>, request: ModelRequest<T>): Promise<T | undefined>;
}

interface ModelRequest<T> extends Omit<ModelBounds, 'signal'> {
  readonly signal?: AbortSignal;
  readonly isIndifferent?: (answer: T) => boolean;
}

export interface GuardOptions {
  readonly name: string;
  readonly counter?: { readonly name: string; readonly description: string };
  readonly timeoutMs: number;
  readonly concurrency?: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

const OUTCOMES = ['reordered', 'indifferent', 'failed', 'busy', 'paused'] as const;
type Outcome = (typeof OUTCOMES)[number];
const DEADLINE_SHARE = 0.5;

export function createModelGuard({ name, counter, timeoutMs, clock, logger, ...options }: GuardOptions): ModelGuard {
  const { concurrency = Number.POSITIVE_INFINITY } = options;
  const circuit = createCircuit(clock);
  const outcomes = counter && countOutcomes(counter);
  let waiting = 0;
  return {
    async ask(work, { signal, timeoutMs: leftMs, isIndifferent }) {
      const count = (outcome: Outcome) => outcomes?.add(1, { outcome });
      if (waiting >= concurrency) return void count('busy');
      if (!circuit.mayAsk()) return void count('paused');
      const limit = limitMs(timeoutMs, leftMs);
      const late = AbortSignal.timeout(limit);
      const limited = signal ? AbortSignal.any([signal, late]) : late;
      waiting += 1;
      // Counts as waiting until it ends, even if the search has gone on without it.
      const working = work(limited).finally(() => {
        waiting -= 1;
      });
      try {
        const answer = await untilAborted(working, limited);
        circuit.succeeded();
        count(isIndifferent?.(answer) ? 'indifferent' : 'reordered');
        return answer;
      } catch (error) {
        signal?.throwIfAborted();
        // A caller with little time left says nothing about the model.
        if (limit === timeoutMs || !late.aborted) circuit.failed();
        const reason = error instanceof EndpointFailure ? error.message : `it ${late.aborted ? 'was late' : 'failed'}`;
        count('failed');
        logger.warn({ reason }, `${name} failed: words alone give the order`);
        return undefined;
      }
    },
  };
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function limitMs(settingMs: number, leftMs = Number.POSITIVE_INFINITY): number {
  return Math.max(1, Math.floor(Math.min(settingMs, leftMs * DEADLINE_SHARE)));
}

/** Exports each series as 0 before its first event, so that `increase()` includes that event. */
function countOutcomes({ name, description }: NonNullable<GuardOptions['counter']>): Counter {
  const outcomes = metrics.getMeter('ces').createCounter(name, { description });
  for (const outcome of OUTCOMES) outcomes.add(0, { outcome });
  return outcomes;
}
