import { crashPoint } from '@ces/chassis/crash-point';
import type { Logger } from '@ces/chassis/log';
import type { Pool } from '@ces/chassis/postgres';
import { markDelivered } from '../db/transition.ts';

/** How long settled operations are gathered before they are marked together, in milliseconds. */
const GATHER_MS = 50;

/** Marks settled operations as delivered, many in one commit. What is lost here the sweeper does. */
export class Deliveries implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #logger: Logger;
  readonly #onDelivered: (operationId: bigint) => void;
  #gathered = new Set<bigint>();
  #marking: Promise<void> | undefined;

  constructor(pool: Pool, logger: Logger, onDelivered: (operationId: bigint) => void) {
    this.#pool = pool;
    this.#logger = logger;
    this.#onDelivered = onDelivered;
  }

  /** The ledger has the settlement of this operation. */
  add(operationId: bigint): void {
    this.#gathered.add(operationId);
    this.#marking ??= this.#markSoon();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    while (this.#marking) await this.#marking;
  }

  async #markSoon(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
    const ids = [...this.#gathered];
    this.#gathered = new Set();
    crashPoint('deliver.before_marked');
    try {
      for (const id of await markDelivered(this.#pool, ids)) {
        this.#logger.info({ operation_id: id }, 'operation delivered');
        this.#onDelivered(id);
      }
    } catch (error) {
      this.#logger.warn({ err: error, operations: ids.length }, 'deliveries not marked; the sweeper will');
    }
    this.#marking = this.#gathered.size > 0 ? this.#markSoon() : undefined;
  }
}
