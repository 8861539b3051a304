import { setTimeout as pause } from 'node:timers/promises';
import type { Broker, WorkQueue } from '@ces/chassis/nats/broker';
import { type Lead, takeLead } from '@ces/chassis/postgres/leader';
import type { Pool } from '@ces/chassis/postgres/pool';
import { isTransient } from '@ces/chassis/rpc/error';
import { startPeriodicTask } from '@ces/chassis/service/periodic-task';
import { observeGauges } from '@ces/chassis/telemetry/gauges';
import type { Logger } from '@ces/chassis/telemetry/log';
import { inSharedSpan } from '@ces/chassis/telemetry/span';
import type { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { Client } from '@connectrpc/connect';
import { type Context, context } from '@opentelemetry/api';
import type { ObservationIndex } from '../index/observation-index.ts';
import { applyChanges } from './apply-changes.ts';

export interface ProjectorOptions {
  readonly index: ObservationIndex;
  readonly pool: Pool;
  readonly lookup: Client<typeof LookupService>;
  readonly broker: Broker;
  /** Each of its messages says that there is new evidence. */
  readonly evidenceQueue: WorkQueue;
  readonly logger: Logger;
}

export interface Projector extends AsyncDisposable {
  /** Looks at once instead of at the next second; without effect where another replica projects. */
  wake(): void;
}

/** Reported by the one replica that projects. */
const GAUGES = {
  'ces.index.behind': { unit: 's', description: 'Time since the index last had everything that the record told it.' },
} as const;
/** Advisory lock of the replica that projects; it spares double work, and the feed's guarded position is the proof. */
const LOCK = 8_201_114n;
const LOOK_EVERY_MS = 1_000;
/** Pages in one go, so that a rebuild leaves room for what is new. */
const LIVE_PAGES = 20;
const REBUILD_PAGES = 4;
/** How long new evidence may wait while words are counted and partitions are maintained; a large count goes on meanwhile. */
const STATISTICS_WAIT_MS = 250;

/** Applies the change list to the index: one replica at a time, when a message comes and every second. */
export function startProjector(options: ProjectorOptions): Projector {
  const { pool, logger } = options;
  let projection: Projection | undefined;
  const task = startPeriodicTask({
    name: 'projecting the record into the index',
    everyMs: LOOK_EVERY_MS,
    immediately: true,
    logger,
    async run(signal) {
      if (!projection) {
        const lead = await takeLead(pool, LOCK);
        projection = lead && beginProjection(options, lead, () => task.wake());
      }
      if (!projection || (await project(projection, signal))) return;
      await projection[Symbol.asyncDispose]();
      projection = undefined;
    },
  });
  return {
    wake: () => task.wake(),
    async [Symbol.asyncDispose]() {
      await task[Symbol.asyncDispose]();
      await projection?.[Symbol.asyncDispose]();
    },
  };
}

/** What a replica has while it projects. */
interface Projection extends ProjectorOptions, AsyncDisposable {
  readonly lead: Lead;
  /** Traces of those that have published evidence since the last step. */
  readonly callers: Context[];
  caughtUpAt: number;
}

function beginProjection(options: ProjectorOptions, lead: Lead, wake: () => void): Projection {
  const { broker, evidenceQueue, logger } = options;
  logger.info('projecting the record into the index');
  const callers: Context[] = [];
  const resources = new AsyncDisposableStack();
  const projection: Projection = {
    ...options,
    lead,
    callers,
    caughtUpAt: performance.now(),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
  const secondsBehind = () => (performance.now() - projection.caughtUpAt) / 1_000;
  resources.use(lead);
  resources.use(observeGauges(GAUGES, async () => [{ gauge: 'ces.index.behind', value: secondsBehind() }], logger));
  resources.use(
    broker.consume(evidenceQueue, 1, async () => {
      callers.push(context.active());
      wake();
      return { kind: 'done' };
    }),
  );
  return projection;
}

/** Takes steps until there is nothing more to do at once; false when another replica may have the lead. */
async function project(projection: Projection, signal: AbortSignal): Promise<boolean> {
  const { lead, callers, logger } = projection;
  while (!signal.aborted) {
    if (!(await lead.holds())) return false;
    try {
      const hasMore = await inTraceOf(callers.splice(0), () => takeStep(projection));
      if (hasMore) continue;
      projection.caughtUpAt = performance.now();
    } catch (error) {
      logger[isTransient(error) ? 'warn' : 'error']({ err: error }, 'projecting interrupted; tried again');
    }
    return true;
  }
  return true;
}

/** A step belongs to the trace of whoever published the evidence, and to none where there was no message. */
function inTraceOf<T>(callers: readonly Context[], step: () => Promise<T>): Promise<T> {
  return callers.length > 0 ? inSharedSpan('project', callers, step) : step();
}

/** What is new first, then a part of a rebuild if there is one; true when there is more to do at once. */
async function takeStep(projection: Projection): Promise<boolean> {
  const { index, logger } = projection;
  const feed = await index.feedState();
  const live = await applyChanges(projection, { feed: 'live', at: feed.live, complete: feed.complete }, LIVE_PAGES);
  await Promise.race([Promise.all([renewStatistics(projection), maintain(projection)]), pause(STATISTICS_WAIT_MS)]);
  if (!feed.rebuilding) return !live;
  const rebuilt = await applyChanges(projection, { feed: 'rebuild', at: feed.rebuild, complete: false }, REBUILD_PAGES);
  if (!rebuilt) return true;
  await index.finishRebuild();
  logger.info('index rebuilt');
  return !live;
}

async function renewStatistics({ index, logger }: Projection): Promise<void> {
  try {
    await index.refreshStatistics();
  } catch (error) {
    logger.warn({ err: error }, 'words were not counted; ranking goes on with older counts');
  }
}

async function maintain({ index, logger }: Projection): Promise<void> {
  try {
    await index.maintain();
  } catch (error) {
    logger.warn({ err: error }, 'partitions were not maintained; tried again later');
  }
}
