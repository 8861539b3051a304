import type { PartitionedTable } from '@ces/chassis/postgres/partition-keeper';
import type { Queryable } from '@ces/chassis/postgres/pool';

/**
 * Creates partitions ahead and returns how many numbers each table has left. It is cheap while
 * there are enough. It fails if a table stays in use for too long.
 */
export async function createPartitions(db: Queryable): Promise<PartitionedTable[]> {
  const { rows } = await db.query<{ partitioned: string; numbers_left: bigint }>(
    'select partitioned, numbers_left from create_partitions()',
  );
  return rows.map((row) => ({ name: row.partitioned, left: Number(row.numbers_left) }));
}
