import { setTimeout as pause } from 'node:timers/promises';
import type { Broker, WorkQueue } from '@ces/chassis/nats/broker';
import { startLeaderTask } from '@ces/chassis/postgres/leader-task';
import type { Leases } from '@ces/chassis/postgres/lease';
import type { Queryable } from '@ces/chassis/postgres/pool';
import { isTransient } from '@ces/chassis/rpc/error';
import { observeGauges } from '@ces/chassis/telemetry/gauges';
import type { Logger } from '@ces/chassis/telemetry/log';
import { inSharedSpan } from '@ces/chassis/telemetry/span';
import type { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { Client } from '@connectrpc/connect';
import { type Context, context } from '@opentelemetry/api';
import { FeedMoved } from '../index/feed/feed.ts';
import type { FeedPart, ObservationIndex } from '../index/observation-index.ts';
import { type SoughtPart, startBalancing } from './balance-parts.ts';
import { leadsIndex, leaseOf } from './parts.ts';
import { type Stepper, takeStep } from './take-step.ts';

export interface ProjectorOptions {
  readonly index: ObservationIndex;
  /** Parts that share the change list, in this process or in others; 1: one projects the whole. */
  readonly parts: number;
  /** Name of the lease that whoever writes to this index holds, of several parts the first. */
  readonly lease: string;
  readonly leases: Leases;
  /** Pause between renewals of a lease, in milliseconds. */
  readonly leadRenewalMs: number;
  /** How often the change list is read without a message, in milliseconds. */
  readonly lookEveryMs?: number | undefined;
  /** Where leases are. */
  readonly db: Queryable;
  readonly lookup: Client<typeof LookupService>;
  readonly broker: Broker;
  /** Each of its messages says that there is new evidence. */
  readonly evidenceQueue: WorkQueue;
  /** Of the plain notification by which whoever got such a message wakes the other parts. */
  readonly partsSubject: string;
  readonly logger: Logger;
}

export interface Projector extends AsyncDisposable {
  /** Looks at once instead of at the next second; without effect where another replica projects. */
  wake(): void;
}

/** Reported by each replica that projects: of several parts, of the one that is furthest behind. */
const GAUGES = {
  'ces.index.behind': { unit: 's', description: 'Time since the index last had everything that the record told it.' },
} as const;
const LOOK_EVERY_MS = 1_000;

/**
 * Applies the change list to the index: each part by one replica at a time, when a message comes and every second. What it writes of
 * the feed names the fence of its lead, so that a replica that was stopped moves nothing when it goes on; the rest may be done twice.
 */
export function startProjector(options: ProjectorOptions): Projector {
  const { parts: of, db, leases, leadRenewalMs, broker, partsSubject, logger } = options;
  const projections = new Set<Projection>();
  const resources = new AsyncDisposableStack();
  resources.use(observeGauges(GAUGES, async () => secondsBehind(projections), logger));
  const parts = Array.from({ length: of }, (_, part) => startPart(options, { part, of }, projections));
  resources.defer(async () => {
    await Promise.all(parts.map((part) => part[Symbol.asyncDispose]()));
  });
  const wake = () => {
    for (const part of parts) part.wake();
  };
  if (of > 1) {
    resources.use(broker.subscribe(partsSubject, wake));
    resources.use(startBalancing({ db, process: leases.process, parts, everyMs: leadRenewalMs, logger }));
  }
  return { wake, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

/** What a replica has while it projects a part. */
interface Projection extends Stepper, AsyncDisposable {
  /** Traces of those that have published evidence since the last step. */
  readonly callers: Context[];
  caughtUpAt: number;
}

interface RunningPart extends SoughtPart, AsyncDisposable {
  wake(): void;
}

function startPart(options: ProjectorOptions, part: FeedPart, projections: Set<Projection>): RunningPart {
  const { leases, leadRenewalMs, logger } = options;
  const lease = leaseOf(options.lease, part);
  let projection: Projection | undefined;
  const seek = () =>
    startLeaderTask(leases, {
      name: 'projecting the record into the index',
      lease,
      everyMs: options.lookEveryMs ?? LOOK_EVERY_MS,
      immediately: true,
      logger,
      async run({ fence, signal }) {
        projection ??= beginProjection(options, part, fence, () => task.wake());
        projections.add(projection);
        await project(projection, signal);
      },
      async onEnd() {
        if (!projection) return;
        projections.delete(projection);
        await projection[Symbol.asyncDispose]();
        projection = undefined;
      },
    });
  let task = seek();
  return {
    lease,
    wake: () => task.wake(),
    async giveBack(signal) {
      await task[Symbol.asyncDispose]();
      await pause(2 * leadRenewalMs, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) task = seek();
    },
    [Symbol.asyncDispose]: () => task[Symbol.asyncDispose](),
  };
}

function secondsBehind(projections: ReadonlySet<Projection>) {
  if (projections.size === 0) return [];
  const since = Math.min(...[...projections].map(({ caughtUpAt }) => caughtUpAt));
  return [{ gauge: 'ces.index.behind', value: (performance.now() - since) / 1_000 } as const];
}

function beginProjection(options: ProjectorOptions, part: FeedPart, fence: bigint, wake: () => void): Projection {
  const { index, lookup, broker, evidenceQueue, partsSubject, logger } = options;
  logger.info(part.of > 1 ? part : {}, 'projecting the record into the index');
  const callers: Context[] = [];
  const resources = new AsyncDisposableStack();
  if (leadsIndex(part))
    resources.use(
      broker.consume(evidenceQueue, 1, async () => {
        callers.push(context.active());
        wake();
        if (part.of > 1) broker.notify(partsSubject);
        return { kind: 'done' };
      }),
    );
  return {
    index,
    lookup,
    part,
    logger,
    fence,
    callers,
    caughtUpAt: performance.now(),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Takes steps until there is nothing more to do at once, or another replica may lead. */
async function project(projection: Projection, signal: AbortSignal): Promise<void> {
  const { callers, part, logger } = projection;
  while (!signal.aborted) {
    try {
      const hasMore = await inTraceOf(callers.splice(0), () => takeStep(projection));
      if (hasMore) continue;
      projection.caughtUpAt = performance.now();
    } catch (error) {
      /* Parts begin anew whenever whoever has the first shares the list anew. */
      const isOrdinary = isTransient(error) || (part.of > 1 && error instanceof FeedMoved);
      logger[isOrdinary ? 'warn' : 'error']({ err: error }, 'projecting interrupted; tried again');
    }
    return;
  }
}

/** A step belongs to the trace of whoever published the evidence, and to none where there was no message. */
function inTraceOf<T>(callers: readonly Context[], step: () => Promise<T>): Promise<T> {
  return callers.length > 0 ? inSharedSpan('project', callers, step) : step();
}
