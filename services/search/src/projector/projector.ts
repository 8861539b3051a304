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
import type { FeedPartition, ObservationIndex } from '../index/observation-index.ts';
import { type PartitionCandidate, startBalancing } from './balance-partitions.ts';
import { leadsIndex, leaseOf } from './partitions.ts';
import { type Stepper, takeStep } from './take-step.ts';

export interface ProjectorOptions {
  readonly index: ObservationIndex;
  /**
   * All processes split the change list into this many partitions. With 1, one process projects
   * everything.
   */
  readonly partitions: number;
  /** The writer holds this lease; with several partitions, it is the lease of the first. */
  readonly lease: string;
  readonly leases: Leases;
  readonly leadRenewalMs: number;
  readonly lookEveryMs?: number | undefined;
  readonly db: Queryable;
  readonly lookup: Client<typeof LookupService>;
  readonly broker: Broker;
  readonly evidenceQueue: WorkQueue;
  /**
   * The consumer of such a message wakes the other partitions with a notification on this subject.
   */
  readonly partitionsSubject: string;
  readonly logger: Logger;
}

export interface Projector extends AsyncDisposable {
  wake(): void;
}

/** Each replica that projects reports its own value: the largest lag of its partitions. */
const GAUGES = {
  'ces.index.lag': { unit: 's', description: 'Time since the index last had every change of the record.' },
} as const;
const LOOK_EVERY_MS = 1_000;

/**
 * Applies the change list to the index. One replica at a time projects each partition, on a message
 * and every second. Writes of the feed carry the fence token of the lease, so a replica that
 * resumes after a pause changes nothing. Other writes are idempotent.
 */
export function startProjector(options: ProjectorOptions): Projector {
  const { partitions: of, db, leases, leadRenewalMs, broker, partitionsSubject, logger } = options;
  const projections = new Set<Projection>();
  const resources = new AsyncDisposableStack();
  resources.use(observeGauges(GAUGES, async () => lagSeconds(projections), logger));
  const partitions = Array.from({ length: of }, (_, partition) =>
    startPartition(options, { partition, of }, projections),
  );
  resources.defer(async () => {
    await Promise.all(partitions.map((partition) => partition[Symbol.asyncDispose]()));
  });
  const wake = () => {
    for (const partition of partitions) partition.wake();
  };
  if (of > 1) {
    resources.use(broker.subscribe(partitionsSubject, wake));
    resources.use(startBalancing({ db, process: leases.process, partitions, everyMs: leadRenewalMs, logger }));
  }
  return { wake, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

interface Projection extends Stepper, AsyncDisposable {
  readonly callers: Context[];
  caughtUpAt: number;
}

interface RunningPartition extends PartitionCandidate, AsyncDisposable {
  wake(): void;
}

function startPartition(
  options: ProjectorOptions,
  partition: FeedPartition,
  projections: Set<Projection>,
): RunningPartition {
  const { leases, leadRenewalMs, logger } = options;
  const lease = leaseOf(options.lease, partition);
  let projection: Projection | undefined;
  const seek = () =>
    startLeaderTask(leases, {
      name: 'projecting the record into the index',
      lease,
      everyMs: options.lookEveryMs ?? LOOK_EVERY_MS,
      immediately: true,
      logger,
      async run({ fence, signal }) {
        projection ??= beginProjection(options, partition, fence, () => task.wake());
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
    async yieldLease(signal) {
      await task[Symbol.asyncDispose]();
      await pause(2 * leadRenewalMs, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) task = seek();
    },
    [Symbol.asyncDispose]: () => task[Symbol.asyncDispose](),
  };
}

function lagSeconds(projections: ReadonlySet<Projection>) {
  if (projections.size === 0) return [];
  const since = Math.min(...[...projections].map(({ caughtUpAt }) => caughtUpAt));
  return [{ gauge: 'ces.index.lag', value: (performance.now() - since) / 1_000 } as const];
}

function beginProjection(
  options: ProjectorOptions,
  partition: FeedPartition,
  fence: bigint,
  wake: () => void,
): Projection {
  const { index, lookup, broker, evidenceQueue, partitionsSubject, logger } = options;
  logger.info(partition.of > 1 ? partition : {}, 'projecting the record into the index');
  const callers: Context[] = [];
  const resources = new AsyncDisposableStack();
  if (leadsIndex(partition))
    resources.use(
      broker.consume(evidenceQueue, 1, async () => {
        callers.push(context.active());
        wake();
        if (partition.of > 1) broker.notify(partitionsSubject);
        return { kind: 'done' };
      }),
    );
  return {
    index,
    lookup,
    partition,
    logger,
    fence,
    callers,
    caughtUpAt: performance.now(),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function project(projection: Projection, signal: AbortSignal): Promise<void> {
  const { callers, partition, logger } = projection;
  while (!signal.aborted) {
    try {
      const hasMore = await inTraceOf(callers.splice(0), () => takeStep(projection));
      if (hasMore) continue;
      projection.caughtUpAt = performance.now();
    } catch (error) {
      /* Rebalancing the partitions makes them restart, so FeedMoved is expected there. */
      const isOrdinary = isTransient(error) || (partition.of > 1 && error instanceof FeedMoved);
      logger[isOrdinary ? 'warn' : 'error']({ err: error }, 'projecting interrupted; tried again');
    }
    return;
  }
}

/** A step joins the traces of the publishers whose messages caused it. */
function inTraceOf<T>(callers: readonly Context[], step: () => Promise<T>): Promise<T> {
  return callers.length > 0 ? inSharedSpan('project', callers, step) : step();
}
