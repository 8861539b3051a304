import type { Queryable } from '@ces/chassis/postgres/pool';

/** A job that waits for a worker and whose message is to be published. */
export interface UnpublishedJob {
  readonly operationId: bigint;
  readonly accountId: bigint;
  /** How often it was published, this time included. */
  readonly publications: number;
  readonly traceparent: string | undefined;
  /** The message that was published last, by its number in the stream. */
  readonly message: number | undefined;
}

interface UnpublishedRow {
  operation_id: bigint;
  account_id: bigint;
  publications: number;
  traceparent: string | null;
  message_sequence: bigint | null;
}

/**
 * Whether the message of a job that no process has claimed is still in the stream is looked at after so long, in milliseconds.
 * Workers look by themselves meanwhile.
 */
export const LOOK_AGAIN_MS = 30_000;
/** Doublings of the pause between two publications, at most. */
const LONGEST_PAUSE_DOUBLINGS = 5;
export const LONGEST_PUBLICATION_PAUSE_MS = LOOK_AGAIN_MS * 2 ** LONGEST_PAUSE_DOUBLINGS;

/**
 * Jobs that stand in a line and whose message should be published now, the longest due first; each is marked, so that it is
 * looked at again only after `againMs`, and after twice as long each time: a queue that workers are slow to empty must not hold
 * up new jobs.
 */
export async function takeUnpublished(db: Queryable, count: number, againMs: number): Promise<UnpublishedJob[]> {
  const { rows } = await db.query<UnpublishedRow>(
    `update job set publications = publications + 1,
                    publish_at = clock_timestamp() + $2::float8 * 2 ^ least(publications, $3::int) * interval '1 millisecond'
     where operation_id in (
       select operation_id from job where publish_at <= clock_timestamp() and publish_at < 'infinity' and ready and line <> 'step'
       order by publish_at limit $1 for update skip locked
     )
     returning operation_id, account_id, publications, traceparent, message_sequence`,
    [count, againMs, LONGEST_PAUSE_DOUBLINGS],
  );
  return rows.map((row) => ({
    operationId: row.operation_id,
    accountId: row.account_id,
    publications: row.publications,
    traceparent: row.traceparent ?? undefined,
    message: toNumber(row.message_sequence),
  }));
}

/** Notes which messages tell of which jobs; returns the operations of those that wait no longer. */
export async function noteMessages(
  db: Queryable,
  published: readonly { readonly operationId: bigint; readonly message: number }[],
): Promise<ReadonlySet<bigint>> {
  const ids = published.map(({ operationId }) => operationId);
  const { rows } = await db.query<{ operation_id: bigint }>(
    `update job set message_sequence = noted.message
     from unnest($1::bigint[], $2::bigint[]) as noted (operation_id, message)
     where job.operation_id = noted.operation_id and ready and line <> 'step'
     returning job.operation_id`,
    [ids, published.map(({ message }) => message)],
  );
  const waiting = new Set(rows.map((row) => row.operation_id));
  return new Set(ids.filter((id) => !waiting.has(id)));
}

/** Whether a job stands in a line of the workers. */
export async function isWaiting(db: Queryable, operationId: bigint): Promise<boolean> {
  const { rowCount } = await db.query(`select from job where operation_id = $1 and ready and line <> 'step'`, [
    operationId,
  ]);
  return rowCount === 1;
}

export function toNumber(sequence: bigint | null): number | undefined {
  return sequence === null ? undefined : Number(sequence);
}
