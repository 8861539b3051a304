import type { Queryable } from '@ces/chassis/postgres/pool';

/** A job whose message is to be published: how often it was, this time included, and in which trace. */
export interface UnpublishedJob {
  readonly operationId: bigint;
  readonly publications: number;
  readonly traceparent: string | undefined;
}

/** Doublings of the pause between two publications, at most. */
const LONGEST_PAUSE_DOUBLINGS = 5;

/**
 * Jobs whose message should be published now, the longest due first; each is marked, so that it is published again only
 * after `againMs`, and after twice as long each time: a queue that workers are slow to empty must not hold up new jobs.
 */
export async function takeUnpublished(db: Queryable, count: number, againMs: number): Promise<UnpublishedJob[]> {
  const { rows } = await db.query<{ operation_id: bigint; publications: number; traceparent: string | null }>(
    `update job set publications = publications + 1,
                    publish_at = clock_timestamp() + $2::float8 * 2 ^ least(publications, $3::int) * interval '1 millisecond'
     where operation_id in (
       select operation_id from job where publish_at <= clock_timestamp() and due_at <= clock_timestamp()
       order by publish_at limit $1 for update skip locked
     )
     returning operation_id, publications, traceparent`,
    [count, againMs, LONGEST_PAUSE_DOUBLINGS],
  );
  return rows.map(({ operation_id, publications, traceparent }) => ({
    operationId: operation_id,
    publications,
    traceparent: traceparent ?? undefined,
  }));
}
