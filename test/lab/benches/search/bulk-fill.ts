import type { Pool, Queryable } from '@ces/chassis/postgres/pool';
import { Refusal } from '@ces/cli/refusal';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { advanceFeed, readFeed } from '@ces/search/index/feed';
import type { ObservationIndex } from '@ces/search/index/observation-index';
import {
  createPartitions,
  type Partitioning,
  partitionOf,
  readPartitionBoundary,
} from '@ces/search/index/postgres/partitions';
import { dropIndexes, makeIndexes } from './bulk-indexes.ts';
import { markBulkFill, refuseHalfFilled, unmarkBulkFill } from './bulk-mark.ts';
import { openSession } from './bulk-sessions.ts';
import { vacuumTables } from './bulk-vacuum.ts';
import { writeRows } from './bulk-write.ts';
import { lastPosition, writtenUpTo } from './fill.ts';
import { DAY_MS, type GeneratedRecord } from './generated-record.ts';

/** An index in Postgres. */
export interface BulkTarget {
  readonly index: ObservationIndex;
  readonly pool: Pool;
  /** Of the owner of the schema, who drops indexes and disables triggers. */
  readonly ownerUrl: string;
}

/** Documents that a thread has in memory at most. */
const AT_ONCE = 10_000;
const FILLED = ['indexed', 'company_doc'] as const;
const PARTITIONED = 'entry';

/**
 * Brings an empty index to where `fill` brings it, much sooner: rows by `copy`, without triggers and without search indexes, which
 * are made afterwards. Says what each phase took, in seconds; nothing where the index is full already. What `onDone` throws breaks
 * off, and the index is refused from then on.
 */
export async function fillInBulk(
  { index, pool, ownerUrl }: BulkTarget,
  record: GeneratedRecord,
  onDone: (share: number, phase: string) => void,
  atOnce: number = AT_ONCE,
): Promise<ReadonlyMap<string, number>> {
  await refuseHalfFilled(pool);
  const { live, generation } = await readFeed(pool, 'feed');
  const seconds = new Map<string, number>();
  const phase = async <T>(name: string, work: (onShare: (share: number) => void) => Promise<T>): Promise<T> => {
    const begun = performance.now();
    onDone(0, name);
    const result = await work((share) => onDone(share, name));
    seconds.set(name, (performance.now() - begun) / 1000);
    return result;
  };
  if (writtenUpTo(live) >= record.observations) return seconds;
  if (live) throw new Refusal('A part of this index was filled without --bulk: go on without it.');
  await using session = await openSession(ownerUrl);
  const owner = session.client;
  const partitioning = { boundary: await readPartitionBoundary(owner), now: record.now };
  await markBulkFill(owner);
  await createPartitions(owner, partitionsOf(record, partitioning));
  const tables = await readTables(owner);
  const withRows = tables.filter((table) => table !== PARTITIONED);
  await switchTriggers(owner, 'disable');
  /* Its counts of rows hold snapshots, and its vacuums read what is still being written. */
  for (const table of withRows) await owner.query(`alter table ${table} set (autovacuum_enabled = off)`);
  const dropped = await dropIndexes(owner, tables);
  const { observations, now } = record;
  await phase('rows', (onShare) =>
    writeRows({ ownerUrl, atOnce, observations, now, generation, partitioning }, onShare),
  );
  /* Before there are indexes, which it would read through. */
  await phase('vacuum', (onShare) => vacuumTables(owner, ownerUrl, withRows, onShare));
  await phase('indexes', (onShare) => makeIndexes(owner, ownerUrl, dropped, onShare));
  for (const table of withRows) await owner.query(`alter table ${table} reset (autovacuum_enabled)`);
  await switchTriggers(owner, 'enable');
  /* No change of it is noted: a copy in a process reads all anew. */
  await owner.query('update index_version set version = version + 1');
  const range = { feed: 'live', from: undefined, to: lastPosition(record.observations), complete: true } as const;
  await advanceFeed(pool, 'feed', range, 1n);
  await phase('statistics', () => index.refreshStatistics());
  await unmarkBulkFill(owner);
  return seconds;
}

/** Of every day of a record. */
function partitionsOf({ from, now }: GeneratedRecord, partitioning: Partitioning): string[] {
  const partitions = new Set<string>();
  for (let day = from.getTime(); day < now.getTime() + DAY_MS; day += DAY_MS)
    partitions.add(partitionOf(Kind.PARTNERSHIP, new Date(Math.min(day, now.getTime())), partitioning));
  return [...partitions];
}

async function switchTriggers(owner: Queryable, to: 'enable' | 'disable'): Promise<void> {
  for (const table of FILLED) await owner.query(`alter table ${table} ${to} trigger user`);
}

/** All tables of documents, partitions as well. */
async function readTables(owner: Queryable): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select unnest($1::text[]) as name union all select relid::text from pg_partition_tree($2)`,
    [FILLED, PARTITIONED],
  );
  return rows.map((row) => row.name);
}
