import type { Queryable } from '@ces/chassis/postgres/pool';

export async function recordPruning(db: Queryable, keptDays: number): Promise<void> {
  await db.query(
    `update pruning set pruned_before = clock_timestamp() - $1 * interval '1 day'
     where pruned_before < clock_timestamp() - $1 * interval '1 day'`,
    [keptDays],
  );
}

/** Later than `keptDays` ago if an earlier setting deleted more. */
export async function readKeptSince(db: Queryable, keptDays: number): Promise<Date> {
  const { rows } = await db.query<{ since: Date }>(
    `select greatest(pruned_before, clock_timestamp() - $1 * interval '1 day') as since from pruning`,
    [keptDays],
  );
  if (!rows[0]) throw new Error('pruning has lost its row');
  return rows[0].since;
}

/** Includes settlements that callers may no longer request. */
export async function readPrunedBefore(db: Queryable): Promise<Date> {
  // A Date cannot represent the initial -infinity.
  const { rows } = await db.query<{ pruned_before: Date }>(
    `select greatest(pruned_before, 'epoch') as pruned_before from pruning`,
  );
  if (!rows[0]) throw new Error('pruning has lost its row');
  return rows[0].pruned_before;
}

export async function createPartitions(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ made: number }>('select create_partitions() as made');
  return rows[0]?.made ?? 0;
}

/** False if it holds younger postings or an interval counts them. */
export async function dropPartition(db: Queryable, keptDays: number): Promise<boolean> {
  const { rows } = await db.query<{ dropped: number }>(
    "select drop_partitions(clock_timestamp() - $1 * interval '1 day') as dropped",
    [keptDays],
  );
  return (rows[0]?.dropped ?? 0) > 0;
}

/** Older than an hour; returns how many. Operations of that age are not admitted from then on. */
export async function deleteRefusals(db: Queryable, limit: number): Promise<number> {
  const { rows } = await db.query<{ deleted: bigint }>(
    "select delete_old_refusals(clock_timestamp() - interval '1 hour', $1) as deleted",
    [limit],
  );
  return Number(rows[0]?.deleted ?? 0n);
}

/** Finds subscriptions whose counters still include expired entries. */
export async function findStaleSubscriptions(
  db: Queryable,
  keptDays: number,
  afterId: bigint,
  limit: number,
): Promise<readonly bigint[]> {
  const { rows } = await db.query<{ id: bigint }>(
    `select s.id
     from subscription s
     where s.id > $2
       and least(s.window_tail_at, s.week_tail_at, s.period_tail_at) < clock_timestamp() - $1 * interval '1 day'
       and exists (
         select 1
         from entry e
         where e.subscription_id = s.id
           and e.settled_at > least(s.window_tail_at, s.week_tail_at, s.period_tail_at)
           and e.settled_at < clock_timestamp() - $1 * interval '1 day')
     order by s.id
     limit $3`,
    [keptDays, afterId, limit],
  );
  return rows.map(({ id }) => id);
}
