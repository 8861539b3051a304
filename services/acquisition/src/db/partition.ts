import type { Queryable } from '@ces/chassis/postgres/pool';

/** A partitioned table, and how many days are left before rows would lie in no month that a partition was made for. */
export interface PartitionedTable {
  readonly name: string;
  readonly daysLeft: number;
}

/** Makes the partitions that are wanted soon, which costs nothing while there are enough; fails when a table was in use for too long. */
export async function createPartitions(db: Queryable): Promise<PartitionedTable[]> {
  const { rows } = await db.query<{ partitioned: string; days_left: number }>(
    'select partitioned, days_left from create_partitions()',
  );
  return rows.map((row) => ({ name: row.partitioned, daysLeft: row.days_left }));
}
