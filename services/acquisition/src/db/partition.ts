import type { PartitionedTable } from '@ces/chassis/postgres/partition-keeper';
import type { Queryable } from '@ces/chassis/postgres/pool';

/**
 * Creates the partitions that are needed soon and returns the days left of each table. This is
 * cheap while enough exist. Fails if a table was in use for too long.
 */
export async function createPartitions(db: Queryable): Promise<PartitionedTable[]> {
  const { rows } = await db.query<{ partitioned: string; days_left: number }>(
    'select partitioned, days_left from create_partitions()',
  );
  return rows.map((row) => ({ name: row.partitioned, left: row.days_left }));
}
