import type { Queryable } from '@ces/chassis/postgres/pool';

/** Earlier postings have been read again in this round. */
export interface ScrubPosition {
  readonly subscriptionId: bigint;
  readonly at: string;
}

export interface DriftCheck {
  readonly ageSeconds: number;
  /** Undefined until the first pass has ended. */
  readonly differences: number | undefined;
}

export async function readDriftCheck(db: Queryable): Promise<DriftCheck> {
  const { rows } = await db.query<{ age: number; differences: bigint | null }>(
    'select extract(epoch from clock_timestamp() - completed_at)::float8 as age, differences from drift_check',
  );
  const { age, differences } = rows[0] ?? { age: Number.POSITIVE_INFINITY, differences: null };
  return { ageSeconds: Math.max(0, age), differences: differences === null ? undefined : Number(differences) };
}

export async function saveDriftCheck(db: Queryable, differences: number, complete: boolean): Promise<void> {
  await db.query(
    `update drift_check
     set differences = $1, completed_at = case when $2 then clock_timestamp() else completed_at end`,
    [differences, complete],
  );
}

export async function readScrubPosition(db: Queryable): Promise<ScrubPosition> {
  const { rows } = await db.query<ScrubPosition>(
    'select scrub_subscription_id as "subscriptionId", scrub_at::text as at from drift_check',
  );
  return rows[0] ?? { subscriptionId: 0n, at: '-infinity' };
}

export async function saveScrubPosition(db: Queryable, { subscriptionId, at }: ScrubPosition): Promise<void> {
  await db.query('update drift_check set scrub_subscription_id = $1, scrub_at = $2', [subscriptionId, at]);
}

export async function findNextSubscription(db: Queryable, afterId: bigint): Promise<bigint | undefined> {
  const { rows } = await db.query<{ id: bigint }>('select id from subscription where id > $1 order by id limit 1', [
    afterId,
  ]);
  return rows[0]?.id;
}
