import type { Pool } from '@ces/chassis/postgres/pool';
import { startPeriodicTask } from '@ces/chassis/service/periodic-task';
import { observeGauges } from '@ces/chassis/telemetry/gauges';
import type { Logger } from '@ces/chassis/telemetry/log';
import { createPartitions, type PartitionedTable } from '../db/partition.ts';

const GAUGES = {
  'ces.partition.numbers_left': {
    unit: '{row}',
    description:
      'Rows that a partitioned table can still take before one lies in no range that a partition was made for.',
  },
} as const;
/** A range or more is left when the next one is made: more than two hours of an import at 2,000 rows a second. */
const EVERY_MS = 600_000;

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
  const gauge = 'ces.partition.numbers_left';
  const read = async () =>
    tables.map(({ name, numbersLeft }) => ({ gauge, value: numbersLeft, attributes: { table: name } }) as const);
  resources.use(observeGauges(GAUGES, read, logger));
  return { [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
