import { startPeriodicTask } from '../service/periodic-task.ts';
import { observeGauges } from '../telemetry/gauges.ts';
import type { Logger } from '../telemetry/log.ts';

/** `left`: headroom until a row has no partition, in the unit of the gauge. */
export interface PartitionedTable {
  readonly name: string;
  readonly left: number;
}

interface PartitionKeeperOptions {
  readonly create: () => Promise<PartitionedTable[]>;
  /** Must be shorter than the time that fills a partition. */
  readonly everyMs: number;
  readonly gauge: { readonly name: string; readonly unit: string; readonly description: string };
  readonly logger: Logger;
}

const FAILING_PASSES = 6;

/**
 * Every replica runs it; the database serializes them. After repeated failures the gauge shows 0.
 * Disposal waits for the current pass.
 */
export function startPartitionKeeper({ create, everyMs, gauge, logger }: PartitionKeeperOptions): AsyncDisposable {
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
