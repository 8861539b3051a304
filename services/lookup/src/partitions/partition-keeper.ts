import { startPartitionKeeper } from '@ces/chassis/postgres/partition-keeper';
import type { Pool } from '@ces/chassis/postgres/pool';
import type { Logger } from '@ces/chassis/telemetry/log';
import { createPartitions } from '../db/partition.ts';

const GAUGE = {
  name: 'ces.partition.numbers_left',
  unit: '{row}',
  description:
    'Rows that a partitioned table can still take before one lies in no range that a partition was made for.',
};
/**
 * A whole range is left when the next one is made. An import at 2,000 rows a second fills it in
 * more than two hours.
 */
const EVERY_MS = 600_000;

export function startRangePartitionKeeper(pool: Pool, logger: Logger): AsyncDisposable {
  return startPartitionKeeper({ create: () => createPartitions(pool), everyMs: EVERY_MS, gauge: GAUGE, logger });
}
