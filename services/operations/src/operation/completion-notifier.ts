import type { Broker } from '@ces/chassis/nats/broker';
import { operationDoneSubject } from '@ces/proto/streams';
import { AsyncCondition } from './async-condition.ts';

/** Wakes callers in all processes. It is a hint: waiters also poll. */
export class CompletionNotifier implements Disposable {
  readonly #broker: Broker;
  readonly #prefix: string;
  readonly #waiting = new Map<bigint, AsyncCondition>();
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
    const ended = this.#waiting.get(operationId) ?? new AsyncCondition();
    this.#waiting.set(operationId, ended);
    await ended.wait(ms);
    if (!ended.isAwaited && this.#waiting.get(operationId) === ended) this.#waiting.delete(operationId);
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
  }

  #wake(operationId: string): void {
    if (/^\d{1,19}$/.test(operationId)) this.#waiting.get(BigInt(operationId))?.notifyAll();
  }
}
