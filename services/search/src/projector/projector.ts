import { setTimeout as pause } from 'node:timers/promises';
import type { Broker, WorkQueue } from '@ces/chassis/nats/broker';
import type { Pool } from '@ces/chassis/postgres/pool';
import { isTransient } from '@ces/chassis/rpc/error';
import { observeGauges } from '@ces/chassis/telemetry/gauges';
import type { Logger } from '@ces/chassis/telemetry/log';
import { inSharedSpan, untraced } from '@ces/chassis/telemetry/span';
import type { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { Client } from '@connectrpc/connect';
import { type Context, context } from '@opentelemetry/api';
import type { ObservationIndex } from '../index/observation-index.ts';
import { applyChanges } from './apply-changes.ts';
import { type Leadership, takeLead } from './leadership.ts';

export interface ProjectorOptions {
  readonly index: ObservationIndex;
  readonly pool: Pool;
  readonly lookup: Client<typeof LookupService>;
  readonly broker: Broker;
  readonly evidenceQueue: WorkQueue;
  readonly logger: Logger;
}

export interface Projector extends AsyncDisposable {
  /** Looks at once instead of at the next second; without effect where another replica projects. */
  wake(): void;
}

/** Told by the one replica that projects. */
const GAUGES = {
  'ces.index.behind': { unit: 's', description: 'Time since the index last had everything that the record told it.' },
} as const;
const LOOK_EVERY_MS = 1_000;
/** Pages in one go, so that a rebuild leaves room for what is new. */
const LIVE_PAGES = 20;
const REBUILD_PAGES = 4;
/** How long new evidence may wait while words are counted and buckets are tended; a large count goes on beside. */
const STATISTICS_WAIT_MS = 250;

/** Follows the change list into the index: one replica at a time, when rung and every second. */
export function startProjector(options: ProjectorOptions): Projector {
  const closing = new AbortController();
  let waking = new AbortController();
  const wake = () => waking.abort();
  const rest = async () => {
    await pause(LOOK_EVERY_MS, undefined, { signal: AbortSignal.any([closing.signal, waking.signal]) }).catch(
      () => undefined,
    );
    waking = new AbortController();
  };
  const loop = (async () => {
    while (!closing.signal.aborted) {
      const lead = await takeLead(options.pool).catch(() => undefined);
      if (lead) await project({ ...options, lead, wake, rest, closing: closing.signal });
      else await rest();
    }
  })();
  return {
    wake,
    async [Symbol.asyncDispose]() {
      closing.abort();
      await loop;
    },
  };
}

interface Projection extends ProjectorOptions {
  readonly lead: Leadership;
  readonly wake: () => void;
  readonly rest: () => Promise<void>;
  readonly closing: AbortSignal;
}

async function project(projection: Projection): Promise<void> {
  const { broker, evidenceQueue: bells, lead, logger } = projection;
  logger.info('projecting the record into the index');
  await using _lead = lead;
  const callers: Context[] = [];
  let caughtUpAt = performance.now();
  await using _gauge = observeGauges(
    GAUGES,
    async () => [{ gauge: 'ces.index.behind', value: (performance.now() - caughtUpAt) / 1_000 }],
    logger,
  );
  await using _bells = broker.consume(bells, 1, async () => {
    callers.push(context.active());
    projection.wake();
    return { kind: 'done' };
  });
  while (!projection.closing.aborted && (await lead.holds())) {
    try {
      const more = await inTraceOf(callers.splice(0), () => takeStep(projection));
      if (more) continue;
      caughtUpAt = performance.now();
      await projection.rest();
    } catch (error) {
      logger[isTransient(error) ? 'warn' : 'error']({ err: error }, 'projecting interrupted; trying on');
      await projection.rest();
    }
  }
}

/** A step belongs to the trace of whoever rang for it, and to none when nobody did. */
function inTraceOf<T>(callers: readonly Context[], step: () => Promise<T>): Promise<T> {
  return callers.length > 0 ? inSharedSpan('project', callers, step) : untraced(step);
}

/** What is new first, then a stretch of a rebuild if there is one; true when there is more to do at once. */
async function takeStep(projection: Projection): Promise<boolean> {
  const { index, logger } = projection;
  const feed = await index.feedState();
  const live = await applyChanges(projection, { feed: 'live', at: feed.live, complete: feed.complete }, LIVE_PAGES);
  await Promise.race([Promise.all([renewStatistics(projection), keepUp(projection)]), pause(STATISTICS_WAIT_MS)]);
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

async function keepUp({ index, logger }: Projection): Promise<void> {
  try {
    await index.maintain();
  } catch (error) {
    logger.warn({ err: error }, 'buckets were not tended; tried again later');
  }
}
