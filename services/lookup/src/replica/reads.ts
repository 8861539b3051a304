import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, Queryable } from '@ces/chassis/postgres/pool';
import type { Logger } from '@ces/chassis/telemetry/log';
import { metrics } from '@opentelemetry/api';
import type pg from 'pg';
import { createPositions, type Position } from './primary-position.ts';

export interface Reads {
  /** Sees everything committed before the call. Must only read; may run twice. */
  read<T>(work: (db: Queryable) => Promise<T>): Promise<T>;
}

export function readPrimary(primary: Queryable): Reads {
  return { read: (work) => work(primary) };
}

const ANSWERS_WITHIN_MS = 250;
/** A replica may take this long to reach the position of an answer. */
const CATCHES_UP_WITHIN_MS = 50;
const ASK_EVERY_MS = 5;
/** The primary serves all reads after the replica was behind or failed. */
const REST_BEHIND_MS = 1_000;
const REST_FAILED_MS = 5_000;
/** The replica's clock, which expires answers, may differ by less. */
const CLOCK_WITHIN_S = 1;

/** Ends before the answer's statement begins. */
const HAS_REACHED = `
  select pg_is_in_recovery() and system.system_identifier::text = $1 and checkpoint.timeline_id = $2
         and pg_last_wal_replay_lsn() >= $3::pg_lsn
         and abs(extract(epoch from clock_timestamp() - $4::timestamptz)) < ${CLOCK_WITHIN_S} as reached
    from pg_control_system() system, pg_control_checkpoint() checkpoint`;

type Outcome<T> = { readonly value: T } | 'behind';

/**
 * If it has reached the primary's position (decision 0012). A replica that is behind costs a
 * quarter of a second every few seconds.
 */
export function createReplicaReads(primary: Pool, replica: Pool, logger: Logger): Reads {
  const currentPosition = createPositions(primary);
  const reads = metrics.getMeter('ces').createCounter('ces.replica.reads', {
    description: 'Reads that a replica was there for, by whether it answered.',
  });
  let restsUntil = Number.NEGATIVE_INFINITY;
  const rest = (outcome: 'behind' | 'failed', forMs: number) => {
    reads.add(1, { outcome });
    restsUntil = performance.now() + forMs;
  };
  return {
    async read(work) {
      if (performance.now() < restsUntil) return await work(primary);
      const position = await currentPosition();
      try {
        const outcome = await readReplica(replica, position, work);
        if (outcome !== 'behind') {
          reads.add(1, { outcome: 'answered' });
          return outcome.value;
        }
        rest('behind', REST_BEHIND_MS);
      } catch (error) {
        rest('failed', REST_FAILED_MS);
        logger.warn({ err: error }, 'the replica did not answer; the primary is read');
      }
      return await work(primary);
    },
  };
}

/** Sent with the position check; counts only if the replica was far enough. */
async function readReplica<T>(
  replica: Pool,
  position: Position,
  work: (db: Queryable) => Promise<T>,
): Promise<Outcome<T>> {
  const client = await takeInTime(replica);
  try {
    const begun = client.query('begin transaction read only');
    const first = hasReached(client, position);
    const early = work(client);
    early.catch(() => undefined);
    const reached = (await inTime(Promise.all([begun, first])))[1];
    const outcome = reached ? { value: await early } : await readLater(client, position, work, early);
    await client.query('commit');
    client.release();
    return outcome;
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
}

async function readLater<T>(
  client: Queryable,
  position: Position,
  work: (db: Queryable) => Promise<T>,
  early: Promise<unknown>,
): Promise<Outcome<T>> {
  await early;
  for (const from = performance.now(); performance.now() - from < CATCHES_UP_WITHIN_MS; ) {
    await pause(ASK_EVERY_MS);
    if (await inTime(hasReached(client, position))) return { value: await work(client) };
  }
  return 'behind';
}

async function hasReached(client: Queryable, { system, timeline, lsn, at }: Position): Promise<boolean> {
  const { rows } = await client.query<{ reached: boolean | null }>(HAS_REACHED, [system, timeline, lsn, at]);
  return rows[0]?.reached === true;
}

async function takeInTime(replica: Pool): Promise<pg.PoolClient> {
  const taking = replica.connect();
  return await inTime(taking).catch((error: unknown) => {
    taking.then((client) => client.release()).catch(() => undefined);
    throw error;
  });
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => undefined);
  const late = new AbortController();
  const timer = pause(ANSWERS_WITHIN_MS, undefined, { signal: late.signal }).then(() => {
    throw new Error(`the replica said nothing for ${ANSWERS_WITHIN_MS} ms`);
  });
  timer.catch(() => undefined);
  try {
    return await Promise.race([answer, timer]);
  } finally {
    late.abort();
  }
}
