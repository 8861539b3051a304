import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceProcess } from '@ces/servers/processes/service';

/** A process of a service at an address of its own. */
export interface Replica extends ServiceProcess {
  /** Which of its service it is, from 1 and never given twice: `ledger-3`. */
  readonly name: string;
  readonly host: string;
}

/** A name server learns this much later that a process is about to end, in milliseconds. */
const NAME_LAG_MS = 1_000;
const READY_WITHIN_MS = 30_000;

/** The processes of one service, of which a name knows those that are ready. */
export class NamedReplicas implements AsyncDisposable {
  readonly service: string;
  /** How every process has ended that was asked to. */
  readonly ends: unknown[] = [];
  readonly #start: () => Promise<Replica>;
  readonly #publish: (hosts: readonly string[]) => void;
  #current: readonly Replica[] = [];

  constructor(service: string, start: () => Promise<Replica>, publish: (hosts: readonly string[]) => void) {
    this.service = service;
    this.#start = start;
    this.#publish = publish;
  }

  /** Those that the name knows, the oldest first. */
  get current(): readonly Replica[] {
    return this.#current;
  }

  get oldest(): Replica {
    const [first] = this.#current;
    if (!first) throw new Error(`${this.service} has no process`);
    return first;
  }

  /** The name knows it once it says that it is ready. */
  async add(): Promise<Replica> {
    const replica = await this.#start();
    await untilReady(replica);
    this.#know([...this.#current, replica]);
    return replica;
  }

  /** It is asked to end; the name forgets it a moment later, while it still drains. */
  async remove(replica: Replica): Promise<void> {
    const stopped = replica[Symbol.asyncDispose]();
    await pause(NAME_LAG_MS);
    this.#know(this.#current.filter((one) => one !== replica));
    await stopped;
    this.ends.push(await replica.ended);
  }

  /** One after the other is replaced: first a new one is ready, then an old one is asked to end. */
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
