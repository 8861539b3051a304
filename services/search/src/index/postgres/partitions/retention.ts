import { inTransaction, type Pool, type Queryable } from '@ces/chassis/postgres/pool';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import pg from 'pg';
import { bucketOf, isOlder, makeBuckets, readBuckets } from './partitions.ts';

/** What upkeep goes by. */
export interface UpkeepContext {
  readonly horizon: Date;
  readonly now: Date;
  /** Months of events that stay indexed; 0: all. */
  readonly keptMonths: number;
}

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Makes the buckets of this month and the next, and lets go of those that a run before this one has declared too old:
 * by now no search is under way that counted on them.
 */
export async function keepBuckets(pool: Pool, context: UpkeepContext): Promise<void> {
  await makeBuckets(pool, [bucketIn(0, context), bucketIn(1, context)]);
  const keptFrom = await readKeptFrom(pool);
  if (keptFrom !== undefined)
    for (const bucket of await readBuckets(pool)) if (isOlder(bucket, keptFrom)) await dropBucket(pool, bucket);
  if (context.keptMonths > 0) await moveKeptFrom(pool, bucketIn(-context.keptMonths, context));
}

/** The first day whose events are indexed; undefined when all are. */
export async function readKeptFrom(db: Queryable): Promise<string | undefined> {
  const text = 'select kept_from::text from horizon';
  const { rows } = await db.query<{ kept_from: string | null }>({ name: 'read-kept-from', text });
  return rows[0]?.kept_from ?? undefined;
}

/** Says anew what is kept, where everything is about to be indexed once more. */
export async function resetKeptFrom(db: Queryable, context: UpkeepContext): Promise<void> {
  await db.query('update horizon set kept_from = $1', [
    context.keptMonths > 0 ? bucketIn(-context.keptMonths, context) : null,
  ]);
}

/** Never back: what has gone comes again by a rebuild alone. */
async function moveKeptFrom(db: Queryable, first: string): Promise<void> {
  await db.query('update horizon set kept_from = $1 where kept_from is null or kept_from < $1', [first]);
}

/** The bucket of the month that is so many months from now. */
function bucketIn(months: number, { horizon, now }: UpkeepContext): string {
  const day = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
  return bucketOf(Kind.PROCUREMENT_REQUEST, day, horizon, now);
}

/** Where a search holds the table too long, the next run tries again; what is left of the bucket is empty by then. */
async function dropBucket(pool: Pool, bucket: string): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query('set local statement_timeout = 0');
    await client.query('delete from indexed where bucket = $1', [bucket]);
    await client.query('delete from entry where bucket = $1', [bucket]);
    await client.query('delete from bucket_size where bucket = $1', [bucket]);
  });
  await pool.query('select drop_bucket($1)', [bucket]).catch((error: unknown) => {
    if (!(error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE)) throw error;
  });
}
