import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceProcess } from '@ces/servers/processes/service';

export interface Replica extends ServiceProcess {
  /** A number from 1 that is never reused, for example `ledger-3`. */
  readonly name: string;
  readonly host: string;
}

/** DNS removes an ending process only after this time. */
const NAME_LAG_MS = 1_000;
const READY_WITHIN_MS = 30_000;

export class NamedReplicas implements AsyncDisposable {
  readonly service: string;
  readonly ends: unknown[] = [];
  readonly #start: () => Promise<Replica>;
  readonly #publish: (hosts: readonly string[]) => void;
  #current: readonly Replica[] = [];

  constructor(service: string, start: () => Promise<Replica>, publish: (hosts: readonly string[]) => void) {
    this.service = service;
    this.#start = start;
    this.#publish = publish;
  }

  get current(): readonly Replica[] {
    return this.#current;
  }

  get oldest(): Replica {
    const [first] = this.#current;
    if (!first) throw new Error(`${this.service} has no process`);
    return first;
  }

  async add(): Promise<Replica> {
    const replica = await this.#start();
    await untilReady(replica);
    this.#know([...this.#current, replica]);
    return replica;
  }

  /** Stops a process. The name removes it later, while it still drains. */
  async remove(replica: Replica): Promise<void> {
    const stopped = replica[Symbol.asyncDispose]();
    await pause(NAME_LAG_MS);
    this.#know(this.#current.filter((one) => one !== replica));
    await stopped;
    this.ends.push(await replica.ended);
  }

  /** Replaces each process: a new one becomes ready before an old one stops. */
  async restart(): Promise<void> {
    for (const old of this.#current) {
      await this.add();
      await this.remove(old);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#current.map((one) => this.remove(one)));
  }

  #know(current: readonly Replica[]): void {
    this.#current = current;
    this.#publish(current.map(({ host }) => host));
  }
}

async function untilReady({ name, adminUrl }: Replica): Promise<void> {
  for (const deadline = performance.now() + READY_WITHIN_MS; performance.now() < deadline; await pause(50)) {
    const answer = await fetch(new URL('/readyz', adminUrl));
    await answer.body?.cancel();
    if (answer.ok) return;
  }
  throw new Error(`${name} is not ready`);
}
