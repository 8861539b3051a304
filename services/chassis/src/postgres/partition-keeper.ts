import { startPeriodicTask } from '../service/periodic-task.ts';
import { observeGauges } from '../telemetry/gauges.ts';
import type { Logger } from '../telemetry/log.ts';

/** A partitioned table, and what is left before a row would lie where no partition was made for it, in the unit of its gauge. */
export interface PartitionedTable {
  readonly name: string;
  readonly left: number;
}

interface PartitionKeeperOptions {
  /** Makes the partitions that are wanted soon. */
  readonly create: () => Promise<PartitionedTable[]>;
  /** Less than it takes to fill one. */
  readonly everyMs: number;
  /** Tells what is left of each table. */
  readonly gauge: { readonly name: string; readonly unit: string; readonly description: string };
  readonly logger: Logger;
}

/** Makes partitions ahead, in every replica, since the database lets one at a time; disposing it waits for the pass in hand. */
export function startKeepingPartitions({ create, everyMs, gauge, logger }: PartitionKeeperOptions): AsyncDisposable {
  let tables: readonly PartitionedTable[] = [];
  const resources = new AsyncDisposableStack();
  const run = async () => {
    tables = await create();
  };
  resources.use(startPeriodicTask({ name: 'making partitions', everyMs, jitter: 0.1, immediately: true, run, logger }));
  const { name, ...meaning } = gauge;
  const read = async () =>
    tables.map((table) => ({ gauge: name, value: table.left, attributes: { table: table.name } }));
  resources.use(observeGauges({ [name]: meaning }, read, logger));
  return { [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
