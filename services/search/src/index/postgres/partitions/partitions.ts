import type { Queryable } from '@ces/chassis/postgres/pool';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';

/** Bucket of profiles, which a window never leaves out by their age alone. */
export const UNDATED = '-infinity';
const FIRST_YEAR = 2020;
const BEFORE_FIRST_YEAR = '0001-01-01';
const FUTURE = 'infinity';

/** The partition key of an observation: years before the horizon, months from it on, events more than a month ahead together. */
export function bucketOf(kind: Kind, occurredAt: Date | undefined, horizon: Date, now: Date): string {
  if (kind === Kind.COMPANY_PROFILE || !occurredAt) return UNDATED;
  const year = occurredAt.getUTCFullYear();
  const month = occurredAt.getUTCMonth();
  if (year < FIRST_YEAR) return BEFORE_FIRST_YEAR;
  if (occurredAt.getTime() >= Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 1)) return FUTURE;
  if (occurredAt.getTime() < horizon.getTime()) return `${year}-01-01`;
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
}

/** The first month that has a partition of its own; fixed when the index was made. */
export async function readHorizon(db: Queryable): Promise<Date> {
  const { rows } = await db.query<{ first_month: string }>('select first_month::text from horizon');
  return new Date(`${rows[0]?.first_month}T00:00:00Z`);
}

/** Makes partitions that are missing; in transactions of their own, so that no search waits. */
export async function makeBuckets(db: Queryable, buckets: readonly string[]): Promise<void> {
  for (const bucket of buckets) await db.query('select make_bucket($1::date)', [bucket]);
}

/** The buckets of dated events: those with a partition that may go, and the first, whose partition stays, if it holds any. */
export async function readBuckets(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ partition: string; holds_first: boolean }>(
    `select relname as partition, exists(select from entry where bucket = $1) as holds_first
       from pg_partition_tree('entry') join pg_class on oid = relid where isleaf`,
    [BEFORE_FIRST_YEAR],
  );
  const movable = rows.flatMap(({ partition }) => {
    const [, year, month = '01'] = /^entry_(\d{4})(?:_(\d{2}))?$/.exec(partition) ?? [];
    return year ? [`${year}-${month}-01`] : [];
  });
  return rows[0]?.holds_first ? [BEFORE_FIRST_YEAR, ...movable] : movable;
}

/** Whether a bucket holds dated events from before a day. */
export function isOlder(bucket: string, day: string): boolean {
  return bucket !== UNDATED && bucket < day;
}
