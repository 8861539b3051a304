import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Range } from './range.ts';

export interface SuspectRange extends Range {
  readonly subscriptionId: bigint;
}

export async function insertSuspectRange(db: Queryable, { subscriptionId, after, until }: SuspectRange): Promise<void> {
  await db.query(
    `insert into suspect_range as s (subscription_id, after_at, until_at)
     values ($1, $2, $3)
     on conflict (subscription_id, after_at) do update set until_at = greatest(s.until_at, excluded.until_at)`,
    [subscriptionId, after, until],
  );
}

export async function listSuspectRanges(db: Queryable, limit: number): Promise<readonly SuspectRange[]> {
  const { rows } = await db.query<SuspectRange>(
    `select subscription_id as "subscriptionId", after_at::text as after, until_at::text as until
     from suspect_range
     order by subscription_id, after_at
     limit $1`,
    [limit],
  );
  return rows;
}

export async function deleteSuspectRange(db: Queryable, { subscriptionId, after, until }: SuspectRange): Promise<void> {
  await db.query('delete from suspect_range where subscription_id = $1 and after_at = $2 and until_at = $3', [
    subscriptionId,
    after,
    until,
  ]);
}
