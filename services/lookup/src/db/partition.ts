import { type PartitionedTable, startPartitionKeeper } from '@ces/chassis/postgres/partition-keeper';
import type { Pool, Queryable } from '@ces/chassis/postgres/pool';
import type { Logger } from '@ces/chassis/telemetry/log';

/** Returns how many numbers each table has left. Fails if a table stays in use for too long. */
export async function createPartitions(db: Queryable): Promise<PartitionedTable[]> {
  const { rows } = await db.query<PartitionedTable>(
    'select partitioned as name, numbers_left::float8 as "left" from create_partitions()',
  );
  return rows;
}

const GAUGE = {
  name: 'ces.partition.numbers_left',
  unit: '{row}',
  description:
    'Rows that a partitioned table can still take before one lies in no range that a partition was made for.',
};
/** An import at 2,000 rows a second fills a range in more than two hours. */
const EVERY_MS = 600_000;

export function startRangePartitionKeeper(pool: Pool, logger: Logger): AsyncDisposable {
  return startPartitionKeeper({ create: () => createPartitions(pool), everyMs: EVERY_MS, gauge: GAUGE, logger });
}
