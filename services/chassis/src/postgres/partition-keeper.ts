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

/** Passes that may fail one after the other before nothing counts as left: what the last good one said is true no longer. */
const FAILING_PASSES = 6;

/**
 * Makes partitions ahead, in every replica, since the database lets one at a time; disposing it waits for the pass in hand. The gauge
 * is what the last good pass said, and 0 once passes have failed for long.
 */
export function startKeepingPartitions({ create, everyMs, gauge, logger }: PartitionKeeperOptions): AsyncDisposable {
  let tables: readonly PartitionedTable[] = [];
  let failed = 0;
  const resources = new AsyncDisposableStack();
  const run = async () => {
    failed += 1;
    tables = await create();
    failed = 0;
  };
  resources.use(startPeriodicTask({ name: 'making partitions', everyMs, jitter: 0.1, immediately: true, run, logger }));
  const { name, ...meaning } = gauge;
  const read = async () => {
    const isUnknown = failed >= FAILING_PASSES;
    const known = isUnknown && tables.length === 0 ? [{ name: 'unknown', left: 0 }] : tables;
    return known.map((table) => ({
      ...{ gauge: name, attributes: { table: table.name } },
      value: isUnknown ? 0 : table.left,
    }));
  };
  resources.use(observeGauges({ [name]: meaning }, read, logger));
  return { [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
