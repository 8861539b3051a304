import type { Clock } from '@ces/chassis/service/clock';
import type { Logger } from '@ces/chassis/telemetry/log';
import { type Counter, metrics } from '@opentelemetry/api';
import type { ModelBounds } from '../ranking/similarities.ts';
import { createCircuit } from './circuit.ts';
import { EndpointFailure } from './endpoint.ts';

/** Calls a model within bounds. A search does without a model that fails or is busy. */
export interface ModelGuard {
  /**
   * Resolves to undefined if the model is busy, paused or fails. Throws if the caller's signal
   * aborts.
   */
  ask<T>(work: (signal: AbortSignal) => Promise<T>, request: ModelRequest<T>): Promise<T | undefined>;
}

interface ModelRequest<T> extends ModelBounds {
  /** Whether the answer gives every company the same value. */
  readonly isIndifferent: (answer: T) => boolean;
}

export interface GuardOptions {
  readonly name: string;
  readonly counter: { readonly name: string; readonly description: string };
  /** A search waits at most this many milliseconds for the model. */
  readonly timeoutMs: number;
  readonly concurrency: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

const OUTCOMES = ['reordered', 'indifferent', 'failed', 'busy', 'paused'] as const;
type Outcome = (typeof OUTCOMES)[number];
const DEADLINE_SHARE = 0.5;

export function createModelGuard({ name, counter, timeoutMs, concurrency, clock, logger }: GuardOptions): ModelGuard {
  const circuit = createCircuit(clock);
  const outcomes = countOutcomes(counter);
  let waiting = 0;
  return {
    async ask(work, { signal, timeoutMs: leftMs, isIndifferent }) {
      const count = (outcome: Outcome) => outcomes.add(1, { outcome });
      if (waiting >= concurrency) return void count('busy');
      if (!circuit.mayAsk()) return void count('paused');
      waiting += 1;
      try {
        const limited = AbortSignal.any([signal, AbortSignal.timeout(limitMs(timeoutMs, leftMs))]);
        const answer = await work(limited);
        circuit.succeeded();
        count(isIndifferent(answer) ? 'indifferent' : 'reordered');
        return answer;
      } catch (error) {
        signal.throwIfAborted();
        const isOfModel = error instanceof EndpointFailure;
        if (isOfModel) circuit.failed();
        const reason = isOfModel ? error.message : 'the data it reads was not available in time';
        count('failed');
        logger.warn({ reason }, `${name} failed: words alone give the order`);
        return undefined;
      } finally {
        waiting -= 1;
      }
    },
  };
}

function limitMs(settingMs: number, leftMs = Number.POSITIVE_INFINITY): number {
  return Math.max(1, Math.floor(Math.min(settingMs, leftMs * DEADLINE_SHARE)));
}

/** Exports each series as 0 before its first event, so that `increase()` includes that event. */
function countOutcomes({ name, description }: GuardOptions['counter']): Counter {
  const outcomes = metrics.getMeter('ces').createCounter(name, { description });
  for (const outcome of OUTCOMES) outcomes.add(0, { outcome });
  return outcomes;
}
