import type { Broker } from '@ces/chassis/nats/broker';
import { operationDoneSubject } from '@ces/proto/streams';

/** Wakes callers in all processes. It is a hint: waiters also poll. */
export class CompletionNotifier implements Disposable {
  readonly #broker: Broker;
  readonly #prefix: string;
  readonly #waiting = new Map<bigint, Set<() => void>>();
  readonly #subscription: Disposable;

  constructor(broker: Broker, prefix: string) {
    this.#broker = broker;
    this.#prefix = prefix;
    this.#subscription = broker.subscribe(operationDoneSubject(prefix, '*'), (_payload, subject) =>
      this.#wake(subject.slice(subject.lastIndexOf('.') + 1)),
    );
  }

  notify(operationId: bigint): void {
    this.#wake(String(operationId));
    this.#broker.notify(operationDoneSubject(this.#prefix, operationId));
  }

  async wait(operationId: bigint, ms: number): Promise<void> {
    const waiting = this.#waiting.get(operationId) ?? new Set();
    this.#waiting.set(operationId, waiting);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, ms);
      function done() {
        clearTimeout(timer);
        waiting.delete(done);
        resolve();
      }
      waiting.add(done);
    });
    if (waiting.size === 0 && this.#waiting.get(operationId) === waiting) this.#waiting.delete(operationId);
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
  }

  #wake(operationId: string): void {
    if (!/^\d{1,19}$/.test(operationId)) return;
    for (const done of [...(this.#waiting.get(BigInt(operationId)) ?? [])]) done();
  }
}
