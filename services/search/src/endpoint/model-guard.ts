import type { Clock } from '@ces/chassis/service/clock';
import type { Logger } from '@ces/chassis/telemetry/log';
import { type Counter, metrics } from '@opentelemetry/api';
import type { ModelBounds } from '../ranking/likenesses.ts';
import { createCircuit } from './circuit.ts';
import { EndpointFailure } from './endpoint.ts';

/** Asks a model within bounds; a model that fails or is busy is done without. */
export interface ModelGuard {
  /** What `work` resolves to, or undefined where the model cannot be asked or fails. Throws when the caller's signal aborts. */
  ask<T>(work: (signal: AbortSignal) => Promise<T>, request: ModelRequest<T>): Promise<T | undefined>;
}

export interface ModelRequest<T> extends ModelBounds {
  /** Whether the model's answer distinguishes no two companies. */
  readonly isIndifferent: (answer: T) => boolean;
}

export interface GuardOptions {
  /** As the log calls the model. */
  readonly name: string;
  /** Counts searches by outcome. */
  readonly counter: { readonly name: string; readonly description: string };
  /** Longest wait for the model, in milliseconds. */
  readonly timeoutMs: number;
  /** Searches that may wait for it at once. */
  readonly concurrency: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

const OUTCOMES = ['reordered', 'indifferent', 'failed', 'busy', 'paused'] as const;
type Outcome = (typeof OUTCOMES)[number];
/** Share of the caller's deadline that a model may use. */
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

/** Each series is shown as 0 before its first, so that its increase is seen. */
function countOutcomes({ name, description }: GuardOptions['counter']): Counter {
  const outcomes = metrics.getMeter('ces').createCounter(name, { description });
  for (const outcome of OUTCOMES) outcomes.add(0, { outcome });
  return outcomes;
}
