import { startLeaderTask } from '@ces/chassis/postgres/leader-task';
import { isLockUnavailable } from '@ces/chassis/postgres/lock-unavailable';
import type { Pool } from '@ces/chassis/postgres/pool';
import { retry } from '@ces/chassis/service/retry';
import { createPartitions, dropPartition } from '../db/retention.ts';
import { type LeaderTaskDependencies, MAINTENANCE_LEASE } from './leader-tasks.ts';

const EVERY_MS = 3_600_000;
/** Each waits up to 200 ms for locks. */
const ATTEMPTS = 5;
const PAUSE_MS = 1_000;

export async function createPartitionsAhead(pool: Pool, signal: AbortSignal): Promise<number> {
  return await patiently(
    () => createPartitions(pool),
    signal,
    (error) => isLockUnavailable(error) || isOvertaken(error),
  );
}

/** Drops partitions that are no longer kept (decision 0013); returns how many. */
export async function dropOldPartitions(pool: Pool, keptDays: number, signal: AbortSignal): Promise<number> {
  let dropped = 0;
  while (!signal.aborted && (await patiently(() => dropPartition(pool, keptDays), signal))) dropped += 1;
  return dropped;
}

export async function keepPartitions(
  { pool, logger }: Pick<LeaderTaskDependencies, 'pool' | 'logger'>,
  keptDays: number,
  signal: AbortSignal,
): Promise<void> {
  let [made, dropped] = [0, 0];
  try {
    made = await createPartitionsAhead(pool, signal);
  } finally {
    dropped = await dropOldPartitions(pool, keptDays, signal);
    if (made + dropped > 0) logger.info({ made, dropped }, 'partitions were made ahead or are no longer kept');
  }
}

export function startPartitionKeeper(
  { pool, leases, logger }: LeaderTaskDependencies,
  keptDays: number,
): AsyncDisposable {
  return startLeaderTask(leases, {
    name: 'partition keeping',
    lease: MAINTENANCE_LEASE,
    everyMs: EVERY_MS,
    immediately: true,
    run: ({ signal }) => keepPartitions({ pool, logger }, keptDays, signal),
    logger,
  });
}

/** Holders of locks go first. The next hourly pass tries again. */
function patiently<T>(change: () => Promise<T>, signal: AbortSignal, retryIf = isLockUnavailable): Promise<T> {
  return retry(change, {
    attempts: ATTEMPTS,
    firstPauseMs: PAUSE_MS,
    longestPauseMs: PAUSE_MS,
    signal,
    retryIf,
  });
}

/** A row arrived in the default partition: a check_violation without a constraint name. */
function isOvertaken(error: unknown): boolean {
  const { code, table, constraint } = error as { code?: unknown; table?: string; constraint?: string };
  return code === '23514' && constraint === undefined && table?.endsWith('_default') === true;
}
