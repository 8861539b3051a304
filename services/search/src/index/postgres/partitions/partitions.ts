import type { Queryable } from '@ces/chassis/postgres/pool';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';

export interface Partitioning {
  /** First month with its own partition; earlier years have one each. Fixed for an index. */
  readonly boundary: Date;
  readonly now: Date;
}

/** Profiles are in this partition. A time window never excludes them only by age. */
export const UNDATED = '-infinity';
const FIRST_YEAR = 2020;
const BEFORE_FIRST_YEAR = '0001-01-01';
const FUTURE = 'infinity';

/** Years before the boundary, months after it, one partition for events over a month ahead. */
export function partitionOf(kind: Kind, occurredAt: Date | undefined, { boundary, now }: Partitioning): string {
  if (kind === Kind.COMPANY_PROFILE || !occurredAt) return UNDATED;
  const year = occurredAt.getUTCFullYear();
  const month = occurredAt.getUTCMonth();
  if (year < FIRST_YEAR) return BEFORE_FIRST_YEAR;
  if (occurredAt.getTime() >= Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 1)) return FUTURE;
  if (occurredAt.getTime() < boundary.getTime()) return `${year}-01-01`;
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
}

export function partitionOfMonth(months: number, partitioning: Partitioning): string {
  const { now } = partitioning;
  const day = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
  return partitionOf(Kind.PROCUREMENT_REQUEST, day, partitioning);
}

export function isOlder(partition: string, day: string): boolean {
  return partition !== UNDATED && partition < day;
}

export async function readPartitionBoundary(db: Queryable): Promise<Date> {
  const { rows } = await db.query<{ first_month: string }>('select first_month::text from partitioning');
  return new Date(`${rows[0]?.first_month}T00:00:00Z`);
}

export async function createPartitions(db: Queryable, partitions: readonly string[]): Promise<void> {
  for (const partition of partitions) await db.query('select create_partition($1::date)', [partition]);
}

/** Partitions of dated events; the first, which is permanent, only if it has rows. */
export async function readPartitions(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ name: string; holds_first: boolean }>(
    `select relname as name, exists(select from entry where bucket = $1) as holds_first
       from pg_partition_tree('entry') join pg_class on oid = relid where isleaf`,
    [BEFORE_FIRST_YEAR],
  );
  const droppable = rows.flatMap(({ name }) => dayOf(name) ?? []);
  return rows[0]?.holds_first ? [BEFORE_FIRST_YEAR, ...droppable] : droppable;
}

function dayOf(name: string): string | undefined {
  const [, year, month = '01'] = /^entry_(\d{4})(?:_(\d{2}))?$/.exec(name) ?? [];
  return year && `${year}-${month}-01`;
}
