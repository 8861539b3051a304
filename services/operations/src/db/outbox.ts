import type { Queryable } from '@ces/chassis/postgres/pool';

export interface UnpublishedJob {
  readonly operationId: bigint;
  readonly accountId: bigint;
  readonly publications: number;
  readonly traceparent: string | undefined;
  readonly message: number | undefined;
}

interface UnpublishedRow {
  operation_id: bigint;
  account_id: bigint;
  publications: number;
  traceparent: string | null;
  message_sequence: bigint | null;
}

/** Pause before an unclaimed job's message is checked again. Workers poll meanwhile. */
export const LOOK_AGAIN_MS = 30_000;
/** Most doublings of the pause between two publications. */
const LONGEST_PAUSE_DOUBLINGS = 5;
export const LONGEST_PUBLICATION_PAUSE_MS = LOOK_AGAIN_MS * 2 ** LONGEST_PAUSE_DOUBLINGS;

/** Longest due first. `againMs` doubles every time: slow workers must not delay new messages. */
export async function takeUnpublished(db: Queryable, count: number, againMs: number): Promise<UnpublishedJob[]> {
  const { rows } = await db.query<UnpublishedRow>(
    `update job set publications = publications + 1,
                    publish_at = clock_timestamp() + $2::float8 * 2 ^ least(publications, $3::int) * interval '1 millisecond'
     where operation_id in (
       select operation_id from job where publish_at <= clock_timestamp() and publish_at < 'infinity' and ready and queue <> 'step'
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

export async function recordMessages(
  db: Queryable,
  published: readonly { readonly operationId: bigint; readonly message: number }[],
): Promise<ReadonlySet<bigint>> {
  const ids = published.map(({ operationId }) => operationId);
  const { rows } = await db.query<{ operation_id: bigint }>(
    `update job set message_sequence = noted.message
     from unnest($1::bigint[], $2::bigint[]) as noted (operation_id, message)
     where job.operation_id = noted.operation_id and ready and queue <> 'step'
     returning job.operation_id`,
    [ids, published.map(({ message }) => message)],
  );
  const waiting = new Set(rows.map((row) => row.operation_id));
  return new Set(ids.filter((id) => !waiting.has(id)));
}

export async function isWaiting(db: Queryable, operationId: bigint): Promise<boolean> {
  const { rowCount } = await db.query(`select from job where operation_id = $1 and ready and queue <> 'step'`, [
    operationId,
  ]);
  return rowCount === 1;
}

export function toNumber(sequence: bigint | null): number | undefined {
  return sequence === null ? undefined : Number(sequence);
}
