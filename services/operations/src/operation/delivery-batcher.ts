import { crashPoint } from '@ces/chassis/crash-point';
import type { Pool } from '@ces/chassis/postgres/pool';
import type { Logger } from '@ces/chassis/telemetry/log';
import { inSharedSpan } from '@ces/chassis/telemetry/span';
import { type Context, context } from '@opentelemetry/api';
import { markDelivered } from '../db/transition.ts';
import type { Meters } from '../telemetry/meters.ts';

/** How long settled operations are gathered before they are marked together, in milliseconds. */
const GATHER_MS = 50;

/** Marks settled operations as delivered, many in one commit. What is lost here the sweeper does. */
export class Deliveries implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #logger: Logger;
  readonly #meters: Meters;
  readonly #onDelivered: (operationId: bigint) => void;
  /** Each with the trace of whoever settled it. */
  #gathered = new Map<bigint, Context>();
  #marking: Promise<void> | undefined;

  constructor(pool: Pool, logger: Logger, meters: Meters, onDelivered: (operationId: bigint) => void) {
    this.#pool = pool;
    this.#logger = logger;
    this.#meters = meters;
    this.#onDelivered = onDelivered;
  }

  /** The ledger has the settlement of this operation. */
  add(operationId: bigint): void {
    this.#gathered.set(operationId, context.active());
    this.#marking ??= this.#markSoon();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    while (this.#marking) await this.#marking;
  }

  async #markSoon(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
    const gathered = this.#gathered;
    const ids = [...gathered.keys()];
    this.#gathered = new Map();
    crashPoint('deliver.before_marked');
    try {
      const mark = () => markDelivered(this.#pool, ids);
      for (const { id, action, seconds } of await inSharedSpan('mark delivered', [...gathered.values()], mark)) {
        this.#meters.ended(action, 'delivered', seconds);
        this.#logger.info({ operation_id: id }, 'operation delivered');
        this.#onDelivered(id);
      }
    } catch (error) {
      this.#logger.warn({ err: error, operations: ids.length }, 'deliveries not marked; the sweeper will');
    }
    this.#marking = this.#gathered.size > 0 ? this.#markSoon() : undefined;
  }
}
