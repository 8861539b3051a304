import type { Balancer, Endpoint } from '../../cluster/balancer.ts';

/** A service process. Disposal sends SIGTERM and waits for its exit. */
export type Replica = Endpoint & AsyncDisposable & { readonly ended: Promise<unknown> };

export class Replicas implements AsyncDisposable {
  readonly name: string;
  readonly #balancer: Balancer;
  readonly #start: () => Promise<Replica>;
  readonly #current = new Set<Replica>();
  readonly ends: unknown[] = [];

  private constructor(name: string, balancer: Balancer, start: () => Promise<Replica>) {
    this.name = name;
    this.#balancer = balancer;
    this.#start = start;
  }

  static async start(name: string, count: number, balancer: Balancer, start: () => Promise<Replica>) {
    const replicas = new Replicas(name, balancer, start);
    for (let at = 0; at < count; at += 1) await replicas.#add();
    return replicas;
  }

  /** Replaces each process: a new one becomes ready before an old one stops. */
  async restart(): Promise<void> {
    for (const old of [...this.#current]) {
      await this.#add();
      await this.#end(old);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#current].map((one) => this.#end(one)));
  }

  async #add(): Promise<void> {
    const replica = await this.#start();
    this.#current.add(replica);
    this.#balancer.add(replica);
    await this.#balancer.untilReady(replica);
  }

  async #end(replica: Replica): Promise<void> {
    this.#current.delete(replica);
    await replica[Symbol.asyncDispose]();
    this.ends.push(await replica.ended);
    this.#balancer.remove(replica);
  }
}
