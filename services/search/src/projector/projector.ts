import type { Broker, WorkQueue } from '@ces/chassis/nats/broker';
import { startLeaderTask } from '@ces/chassis/postgres/leader-task';
import type { Leases } from '@ces/chassis/postgres/lease';
import { isTransient } from '@ces/chassis/rpc/error';
import { observeGauges } from '@ces/chassis/telemetry/gauges';
import type { Logger } from '@ces/chassis/telemetry/log';
import { inSharedSpan } from '@ces/chassis/telemetry/span';
import type { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { Client } from '@connectrpc/connect';
import { type Context, context } from '@opentelemetry/api';
import type { ObservationIndex } from '../index/observation-index.ts';
import { type ProjectionContext, runProjectionStep } from './projection-step.ts';

export interface ProjectorOptions {
  readonly index: ObservationIndex;
  readonly lease: string;
  readonly leases: Leases;
  readonly lookEveryMs?: number | undefined;
  readonly lookup: Client<typeof LookupService>;
  readonly broker: Broker;
  readonly evidenceQueue: WorkQueue;
  readonly logger: Logger;
}

export interface Projector extends AsyncDisposable {
  wake(): void;
}

/** The replica that projects reports it. */
const GAUGES = {
  'ces.index.lag': { unit: 's', description: 'Time since the index last had every change of the record.' },
} as const;
const LOOK_EVERY_MS = 1_000;

/**
 * One replica at a time projects, on a message and every second. Writes of the feed carry the
 * lease's fence token, so a paused replica changes nothing.
 */
export function startProjector(options: ProjectorOptions): Projector {
  const { lease, leases, logger } = options;
  let projection: Projection | undefined;
  const resources = new AsyncDisposableStack();
  resources.use(observeGauges(GAUGES, async () => lagSeconds(projection), logger));
  const task = resources.use(
    startLeaderTask(leases, {
      name: 'projecting the record into the index',
      lease,
      everyMs: options.lookEveryMs ?? LOOK_EVERY_MS,
      immediately: true,
      logger,
      async run({ fence, signal }) {
        projection ??= beginProjection(options, fence, () => task.wake());
        await project(projection, signal);
      },
      async onEnd() {
        await projection?.[Symbol.asyncDispose]();
        projection = undefined;
      },
    }),
  );
  return { wake: () => task.wake(), [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

interface Projection extends ProjectionContext, AsyncDisposable {
  readonly callers: Context[];
  caughtUpAt: number;
}

function lagSeconds(projection: Projection | undefined) {
  if (!projection) return [];
  return [{ gauge: 'ces.index.lag', value: (performance.now() - projection.caughtUpAt) / 1_000 } as const];
}

function beginProjection(options: ProjectorOptions, fence: bigint, wake: () => void): Projection {
  const { index, lookup, broker, evidenceQueue, logger } = options;
  logger.info('projecting the record into the index');
  const callers: Context[] = [];
  const resources = new AsyncDisposableStack();
  resources.use(
    broker.consume(evidenceQueue, 1, async () => {
      callers.push(context.active());
      wake();
      return { kind: 'done' };
    }),
  );
  return {
    index,
    lookup,
    logger,
    fence,
    callers,
    caughtUpAt: performance.now(),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function project(projection: Projection, signal: AbortSignal): Promise<void> {
  const { callers, logger } = projection;
  while (!signal.aborted) {
    try {
      const hasMore = await inTraceOf(callers.splice(0), () => runProjectionStep(projection));
      if (hasMore) continue;
      projection.caughtUpAt = performance.now();
    } catch (error) {
      logger[isTransient(error) ? 'warn' : 'error']({ err: error }, 'projecting interrupted; tried again');
    }
    return;
  }
}

/** A step joins the traces of the publishers whose messages caused it. */
function inTraceOf<T>(callers: readonly Context[], step: () => Promise<T>): Promise<T> {
  return callers.length > 0 ? inSharedSpan('project', callers, step) : step();
}
