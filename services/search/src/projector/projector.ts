import { setTimeout as pause } from 'node:timers/promises';
import type { Broker, WorkQueue } from '@ces/chassis/nats/broker';
import type { Leases } from '@ces/chassis/postgres/lease';
import { startLedTask } from '@ces/chassis/postgres/led-task';
import { isTransient } from '@ces/chassis/rpc/error';
import { observeGauges } from '@ces/chassis/telemetry/gauges';
import type { Logger } from '@ces/chassis/telemetry/log';
import { inSharedSpan } from '@ces/chassis/telemetry/span';
import type { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { Client } from '@connectrpc/connect';
import { type Context, context } from '@opentelemetry/api';
import type { FeedState, ObservationIndex } from '../index/observation-index.ts';
import { applyChanges } from './apply-changes.ts';
import type { LostPosition } from './read-changes.ts';

export interface ProjectorOptions {
  readonly index: ObservationIndex;
  /** Name of the lease that whoever writes to this index holds. */
  readonly lease: string;
  readonly leases: Leases;
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
const LOOK_EVERY_MS = 1_000;
/** Pages in one go, so that a rebuild leaves room for what is new. */
const LIVE_PAGES = 20;
const REBUILD_PAGES = 4;
/** How long new evidence may wait while words are counted and partitions are maintained; a large count goes on meanwhile. */
const STATISTICS_WAIT_MS = 250;

/**
 * Applies the change list to the index: one replica at a time, when a message comes and every second. What it writes of the
 * feed names the fence of its lead, so that a replica that was stopped moves nothing when it goes on; the rest may be done twice.
 */
export function startProjector(options: ProjectorOptions): Projector {
  let projection: Projection | undefined;
  const task = startLedTask(options.leases, {
    name: 'projecting the record into the index',
    lease: options.lease,
    everyMs: LOOK_EVERY_MS,
    immediately: true,
    logger: options.logger,
    async run({ fence, signal }) {
      projection ??= beginProjection(options, fence, () => task.wake());
      await project(projection, signal);
    },
    async onEnd() {
      await projection?.[Symbol.asyncDispose]();
      projection = undefined;
    },
  });
  return task;
}

/** What a replica has while it projects. */
interface Projection extends ProjectorOptions, AsyncDisposable {
  /** Of the lead under which it projects. */
  readonly fence: bigint;
  /** Traces of those that have published evidence since the last step. */
  readonly callers: Context[];
  caughtUpAt: number;
}

function beginProjection(options: ProjectorOptions, fence: bigint, wake: () => void): Projection {
  const { broker, evidenceQueue, logger } = options;
  logger.info('projecting the record into the index');
  const callers: Context[] = [];
  const resources = new AsyncDisposableStack();
  const projection: Projection = {
    ...options,
    fence,
    callers,
    caughtUpAt: performance.now(),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
  const secondsBehind = () => (performance.now() - projection.caughtUpAt) / 1_000;
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

/** Takes steps until there is nothing more to do at once, or another replica may lead. */
async function project(projection: Projection, signal: AbortSignal): Promise<void> {
  const { callers, logger } = projection;
  while (!signal.aborted) {
    try {
      const hasMore = await inTraceOf(callers.splice(0), () => takeStep(projection));
      if (hasMore) continue;
      projection.caughtUpAt = performance.now();
    } catch (error) {
      logger[isTransient(error) ? 'warn' : 'error']({ err: error }, 'projecting interrupted; tried again');
    }
    return;
  }
}

/** A step belongs to the trace of whoever published the evidence, and to none where there was no message. */
function inTraceOf<T>(callers: readonly Context[], step: () => Promise<T>): Promise<T> {
  return callers.length > 0 ? inSharedSpan('project', callers, step) : step();
}

/** What is new first, then a part of a rebuild if there is one; true when there is more to do at once. */
async function takeStep(projection: Projection): Promise<boolean> {
  const { index, fence, logger } = projection;
  const feed = await index.feedState();
  const live = await applyChanges(projection, { feed: 'live', at: feed.live, complete: feed.complete }, LIVE_PAGES);
  if (typeof live === 'object') return await restart(projection, feed, live);
  await Promise.race([Promise.all([renewStatistics(projection), maintain(projection)]), pause(STATISTICS_WAIT_MS)]);
  if (!feed.rebuilding) return (await rebuildOutdated(projection, feed)) || live === 'more';
  const rebuilt = await applyChanges(projection, { feed: 'rebuild', at: feed.rebuild, complete: false }, REBUILD_PAGES);
  if (typeof rebuilt === 'object') return await restart(projection, feed, rebuilt);
  if (rebuilt === 'more') return true;
  const isFinished = await index.finishRebuild(fence);
  if (isFinished) logger.info('index rebuilt');
  return live === 'more';
}

/** The record was restored, or lost its tail: what is indexed may not be in it any more, and numbers are given anew. */
async function restart(
  { index, fence, logger }: Projection,
  { live }: FeedState,
  { to }: LostPosition,
): Promise<boolean> {
  const restarted = await index.restart(live, to, fence);
  if (restarted)
    logger.warn({ from: live?.epoch, to: to.epoch }, 'the record has another history: index made anew from it');
  return true;
}

/** Makes an index anew that an earlier version of the analysis of texts has written; true when that has begun. */
async function rebuildOutdated({ index, logger }: Projection, { outdated }: FeedState): Promise<boolean> {
  if (!outdated) return false;
  const begun = await index.beginRebuild();
  if (begun) logger.info('texts are analysed in a newer way: index made anew beside the one that is searched');
  return begun;
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
