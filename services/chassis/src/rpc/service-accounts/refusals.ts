import { LRUCache } from 'lru-cache';
import type { Logger } from '../../telemetry/log.ts';

/** Each reason is logged at most once in this time: bad tokens must not flood the log. */
const SAID_FOR_MS = 10_000;
const REASONS = 50;

export class Refusals {
  readonly #logger: Logger;
  readonly #said = new LRUCache<string, true>({ max: REASONS, ttl: SAID_FOR_MS });

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  log(reason: string): void {
    if (this.#said.has(reason)) return;
    this.#said.set(reason, true);
    this.#logger.warn({ reason }, 'a token of a ServiceAccount is refused');
  }
}
