import type { Queryable } from '@ces/chassis/postgres/pool';

/** Writes down, before it is done, that what is older than this is deleted: longer keeping brings nothing back. */
export async function notePruning(db: Queryable, keptDays: number): Promise<void> {
  await db.query(
    `update pruning set pruned_before = clock_timestamp() - $1 * interval '1 day'
     where pruned_before < clock_timestamp() - $1 * interval '1 day'`,
    [keptDays],
  );
}

/** Since when everything is kept: what `keptDays` say, or what was deleted while they were fewer. */
export async function readKeptSince(db: Queryable, keptDays: number): Promise<Date> {
  const { rows } = await db.query<{ since: Date }>(
    `select greatest(pruned_before, clock_timestamp() - $1 * interval '1 day') as since from pruning`,
    [keptDays],
  );
  if (!rows[0]) throw new Error('pruning has lost its row');
  return rows[0].since;
}

/** Everything that was settled since then is there still, what is too old to be asked for included. */
export async function readPrunedBefore(db: Queryable): Promise<Date> {
  // Before the first it is -infinity, which no Date is.
  const { rows } = await db.query<{ pruned_before: Date }>(
    `select greatest(pruned_before, 'epoch') as pruned_before from pruning`,
  );
  if (!rows[0]) throw new Error('pruning has lost its row');
  return rows[0].pruned_before;
}

/** Makes partitions of holds and entries ahead; returns how many. */
export async function makePartitions(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ made: number }>('select make_partitions() as made');
  return rows[0]?.made ?? 0;
}

/** Drops the oldest partition, if everything in it is older than `keptDays` and counted nowhere; false when it stays. */
export async function dropPartition(db: Queryable, keptDays: number): Promise<boolean> {
  const { rows } = await db.query<{ dropped: number }>(
    "select drop_partitions(clock_timestamp() - $1 * interval '1 day') as dropped",
    [keptDays],
  );
  return (rows[0]?.dropped ?? 0) > 0;
}

/** Deletes at most `limit` of the oldest postings of the first partition that ended more than `keptDays` ago; returns how many. */
export async function prunePostings(db: Queryable, keptDays: number, limit: number): Promise<number> {
  const { rows } = await db.query<{ pruned: bigint }>(
    "select prune_postings(clock_timestamp() - $1 * interval '1 day', $2) as pruned",
    [keptDays, limit],
  );
  return Number(rows[0]?.pruned ?? 0n);
}

/**
 * Deletes at most `limit` of the oldest tombstones that were left more than an hour ago; returns how many. No operation of their age is
 * admitted from then on.
 */
export async function forgetRefusals(db: Queryable, limit: number): Promise<number> {
  const { rows } = await db.query<{ forgotten: bigint }>(
    "select forget_refusals(clock_timestamp() - interval '1 hour', $1) as forgotten",
    [limit],
  );
  return Number(rows[0]?.forgotten ?? 0n);
}

/** Subscriptions above `afterId` with postings that are old enough to go and still counted, since nothing was written there for as long. */
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
