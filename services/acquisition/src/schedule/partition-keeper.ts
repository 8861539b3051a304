import type { Pool } from '@ces/chassis/postgres/pool';
import { startPeriodicTask } from '@ces/chassis/service/periodic-task';
import { observeGauges } from '@ces/chassis/telemetry/gauges';
import type { Logger } from '@ces/chassis/telemetry/log';
import { createPartitions, type PartitionedTable } from '../db/partition.ts';

const GAUGES = {
  'ces.partition.days_left': {
    unit: 'd',
    description: 'Days before a row of a partitioned table would lie in no month that a partition was made for.',
  },
} as const;
const EVERY_MS = 3_600_000;

/** Makes partitions ahead, in every replica, since the database lets one at a time; disposing it waits for the pass in hand. */
export function startKeepingPartitions(pool: Pool, logger: Logger): AsyncDisposable {
  let tables: readonly PartitionedTable[] = [];
  const resources = new AsyncDisposableStack();
  const run = async () => {
    tables = await createPartitions(pool);
  };
  resources.use(
    startPeriodicTask({ name: 'making partitions', everyMs: EVERY_MS, jitter: 0.1, immediately: true, run, logger }),
  );
  const gauge = 'ces.partition.days_left';
  const read = async () =>
    tables.map(({ name, daysLeft }) => ({ gauge, value: daysLeft, attributes: { table: name } }) as const);
  resources.use(observeGauges(GAUGES, read, logger));
  return { [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
