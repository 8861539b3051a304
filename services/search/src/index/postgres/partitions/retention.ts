import { isLockUnavailable } from '@ces/chassis/postgres/lock-unavailable';
import { allowLongStatements } from '@ces/chassis/postgres/long-statements';
import { inTransaction, type Pool, type Queryable } from '@ces/chassis/postgres/pool';
import { createPartitions, isOlder, type Partitioning, partitionOfMonth, readPartitions } from './partitions.ts';

const AT_ONCE = 2_000;

export interface MaintenanceContext extends Partitioning {
  readonly keptMonths: number;
}

/** Discards what a previous run declared too old: no running search relies on it any more. */
export async function maintainPartitions(pool: Pool, context: MaintenanceContext): Promise<void> {
  await createPartitions(pool, [partitionOfMonth(0, context), partitionOfMonth(1, context)]);
  const keptFrom = await readKeptFrom(pool);
  if (keptFrom !== undefined)
    for (const partition of await readPartitions(pool))
      if (isOlder(partition, keptFrom)) await discardPartition(pool, partition);
  if (context.keptMonths > 0) await advanceKeptFrom(pool, partitionOfMonth(-context.keptMonths, context));
}

/** Returns the first day whose events are indexed, or undefined for all. */
export async function readKeptFrom(db: Queryable): Promise<string | undefined> {
  const text = 'select kept_from::text from partitioning';
  const { rows } = await db.query<{ kept_from: string | null }>({ name: 'read-kept-from', text });
  return rows[0]?.kept_from ?? undefined;
}

export async function resetKeptFrom(db: Queryable, context: MaintenanceContext): Promise<void> {
  await db.query('update partitioning set kept_from = $1', [
    context.keptMonths > 0 ? partitionOfMonth(-context.keptMonths, context) : null,
  ]);
}

async function advanceKeptFrom(db: Queryable, first: string): Promise<void> {
  await db.query('update partitioning set kept_from = $1 where kept_from is null or kept_from < $1', [first]);
}

/** Small transactions do not delay the projector. A busy table is dropped by the next run. */
async function discardPartition(pool: Pool, partition: string): Promise<void> {
  const ids = await readIds(pool, partition);
  for (let at = 0; at < ids.length; at += AT_ONCE) await discard(pool, partition, ids.slice(at, at + AT_ONCE));
  await inTransaction(pool, async (client) => {
    await allowLongStatements(client);
    await client.query('delete from entry where bucket = $1', [partition]);
  });
  await pool.query('select drop_partition($1)', [partition]).catch((error: unknown) => {
    if (!isLockUnavailable(error)) throw error;
  });
}

async function readIds(pool: Pool, partition: string): Promise<bigint[]> {
  return await inTransaction(pool, async (client) => {
    await allowLongStatements(client);
    const text = 'select observation_id from indexed where bucket = $1';
    const { rows } = await client.query<{ observation_id: bigint }>(text, [partition]);
    return rows.map((row) => row.observation_id);
  });
}

async function discard(pool: Pool, partition: string, ids: readonly bigint[]): Promise<void> {
  await inTransaction(pool, async (client) => {
    /* Locks the feed row first, as writers do; rows and version counter then lock in any order. */
    await client.query('select from feed for update');
    await client.query('delete from indexed where bucket = $1 and observation_id = any($2::bigint[])', [
      partition,
      ids,
    ]);
    await client.query('delete from entry where bucket = $1 and observation_id = any($2::bigint[])', [partition, ids]);
  });
}
