import type { Pool } from '@ces/chassis/postgres/pool';
import type { Logger } from '@ces/chassis/telemetry/log';
import { inSharedSpan } from '@ces/chassis/telemetry/span';
import { type Context, context } from '@opentelemetry/api';
import type { AtCrashPoint } from '../crash-points.ts';
import { markDelivered } from '../db/transition.ts';
import type { Meters } from '../telemetry/meters.ts';

export interface DeliveryBatcherOptions {
  readonly pool: Pool;
  readonly logger: Logger;
  readonly meters: Meters;
  readonly onDelivered: (operationId: bigint) => void;
  readonly atCrashPoint: AtCrashPoint;
}

/** How long settled operations are gathered before they are marked together, in milliseconds. */
const GATHER_MS = 50;
const MOST_MARKED = 1_000;

/**
 * Marks settled operations as delivered, many in one commit. The sweeper marks those that are lost
 * here.
 */
export class DeliveryBatcher implements AsyncDisposable {
  readonly #options: DeliveryBatcherOptions;
  readonly #gathered = new Map<bigint, Context>();
  #marking: Promise<void> | undefined;

  constructor(options: DeliveryBatcherOptions) {
    this.#options = options;
  }

  add(operationId: bigint): void {
    this.#gathered.set(operationId, context.active());
    this.#marking ??= this.#markSoon();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    while (this.#marking) await this.#marking;
  }

  async #markSoon(): Promise<void> {
    const { pool, logger, meters, onDelivered, atCrashPoint } = this.#options;
    await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
    const gathered = [...this.#gathered].slice(0, MOST_MARKED);
    const ids = gathered.map(([id]) => id);
    for (const id of ids) this.#gathered.delete(id);
    atCrashPoint('deliver.before_marked');
    try {
      const mark = () => markDelivered(pool, ids);
      for (const { id, action, payment, seconds } of await inSharedSpan(
        'mark delivered',
        gathered.map(([, caller]) => caller),
        mark,
      )) {
        meters.ended(action, 'delivered', seconds);
        logger.info({ operation_id: id }, 'operation delivered');
        // No caller waits for a charge: any call that finds one stored charges it itself.
        if (payment === 'hold') onDelivered(id);
      }
    } catch (error) {
      logger.warn({ err: error, operations: ids.length }, 'deliveries not marked; the sweeper will');
    }
    this.#marking = this.#gathered.size > 0 ? this.#markSoon() : undefined;
  }
}
