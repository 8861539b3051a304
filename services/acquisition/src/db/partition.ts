import type { PartitionedTable } from '@ces/chassis/postgres/partition-keeper';
import type { Queryable } from '@ces/chassis/postgres/pool';

/** Makes the partitions that are wanted soon and tells how many days each table has left, which costs nothing while there are enough; fails when a table was in use for too long. */
export async function createPartitions(db: Queryable): Promise<PartitionedTable[]> {
  const { rows } = await db.query<{ partitioned: string; days_left: number }>(
    'select partitioned, days_left from create_partitions()',
  );
  return rows.map((row) => ({ name: row.partitioned, left: row.days_left }));
}
