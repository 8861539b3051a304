import type { Pool } from '@ces/chassis/postgres/pool';
import { Batcher } from '@ces/chassis/service/batcher';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { AtCrashPoint } from '../crash-points.ts';
import { markDelivered } from '../db/transition.ts';
import type { Meters } from '../telemetry/meters.ts';

export interface DeliveriesOptions {
  readonly pool: Pool;
  readonly logger: Logger;
  readonly meters: Meters;
  readonly onDelivered: (operationId: bigint) => void;
  readonly atCrashPoint: AtCrashPoint;
}

export interface Deliveries extends AsyncDisposable {
  add(operationId: bigint): void;
}

/** The least time between two commits. */
const APART_MS = 50;
const MOST_MARKED = 1_000;

/** Many in one commit. The sweeper marks lost ones. */
export function createDeliveries(options: DeliveriesOptions): Deliveries {
  const marks = new Batcher<bigint, void>({
    maxItems: MOST_MARKED,
    maxInFlight: 1,
    intervalMs: APART_MS,
    spanName: 'mark delivered',
    run: async (entries) => {
      const operationIds = entries.map(({ item }) => item);
      await mark(options, operationIds).catch((error: unknown) =>
        options.logger.warn({ err: error, operations: operationIds.length }, 'deliveries not marked; the sweeper will'),
      );
      for (const entry of entries) entry.resolve();
    },
  });
  return {
    add: (operationId) =>
      void marks
        .add(operationId)
        .catch((error: unknown) => options.logger.debug({ err: error }, 'delivery not marked; the sweeper will')),
    [Symbol.asyncDispose]: () => marks[Symbol.asyncDispose](),
  };
}

async function mark(
  { pool, logger, meters, onDelivered, atCrashPoint }: DeliveriesOptions,
  operationIds: readonly bigint[],
): Promise<void> {
  atCrashPoint('deliver.before_marked');
  for (const { id, action, payment, seconds } of await markDelivered(pool, operationIds)) {
    meters.ended(action, 'delivered', seconds);
    logger.info({ operation_id: id }, 'operation delivered');
    // No caller waits for a charge: any call that finds it charges it.
    if (payment === 'hold') onDelivered(id);
  }
}
