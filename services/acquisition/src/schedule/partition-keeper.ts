import { startPartitionKeeper } from '@ces/chassis/postgres/partition-keeper';
import type { Pool } from '@ces/chassis/postgres/pool';
import type { Logger } from '@ces/chassis/telemetry/log';
import { createPartitions } from '../db/partition.ts';

const GAUGE = {
  name: 'ces.partition.days_left',
  unit: 'd',
  description: 'Days before a row of a partitioned table would lie in no month that a partition was made for.',
};
const EVERY_MS = 3_600_000;

export function startMonthPartitionKeeper(pool: Pool, logger: Logger): AsyncDisposable {
  return startPartitionKeeper({ create: () => createPartitions(pool), everyMs: EVERY_MS, gauge: GAUGE, logger });
}
