import type { Queryable } from '@ces/chassis/postgres/pool';

/** A partitioned table, and how many numbers its sequence has left before rows would lie in no range that a partition was made for. */
export interface PartitionedTable {
  readonly name: string;
  readonly numbersLeft: number;
}

/** Makes the partitions that are wanted soon, which costs nothing while there are enough; fails when a table was in use for too long. */
export async function createPartitions(db: Queryable): Promise<PartitionedTable[]> {
  const { rows } = await db.query<{ partitioned: string; numbers_left: bigint }>(
    'select partitioned, numbers_left from create_partitions()',
  );
  return rows.map((row) => ({ name: row.partitioned, numbersLeft: Number(row.numbers_left) }));
}
