import { type PartitionedTable, startPartitionKeeper } from '@ces/chassis/postgres/partition-keeper';
import type { Pool, Queryable } from '@ces/chassis/postgres/pool';
import type { Logger } from '@ces/chassis/telemetry/log';

const GAUGE = {
  name: 'ces.partition.days_left',
  unit: 'd',
  description: 'Days before a row of a partitioned table would lie in no month that a partition was made for.',
};
const EVERY_MS = 3_600_000;

export function startMonthPartitionKeeper(pool: Pool, logger: Logger): AsyncDisposable {
  return startPartitionKeeper({ create: () => createPartitions(pool), everyMs: EVERY_MS, gauge: GAUGE, logger });
}

/** Returns the days left of each table. Fails if a table was in use for too long. */
export async function createPartitions(db: Queryable): Promise<PartitionedTable[]> {
  const { rows } = await db.query<{ partitioned: string; days_left: number }>(
    'select partitioned, days_left from create_partitions()',
  );
  return rows.map((row) => ({ name: row.partitioned, left: row.days_left }));
}
