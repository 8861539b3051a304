import type { Balancer, Endpoint } from '../../cluster/balancer.ts';

/** A process of a service: disposing it is SIGTERM, and waits until it has ended. */
export type Replica = Endpoint & AsyncDisposable & { readonly ended: Promise<unknown> };

/** The processes of one service behind one address. */
export class Replicas implements AsyncDisposable {
  readonly name: string;
  readonly #balancer: Balancer;
  readonly #start: () => Promise<Replica>;
  readonly #current = new Set<Replica>();
  /** How every process has ended that was asked to. */
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

  /** One process after the other is replaced: first a new one is ready, then an old one is asked to end. */
  async restart(): Promise<void> {
    for (const old of [...this.#current]) {
      await this.#add();
      await this.#end(old);
    }
  }

  /** All processes are asked to end at once, as when a Deployment is scaled to zero. */
  async scaleToZero(): Promise<void> {
    await Promise.all([...this.#current].map((one) => this.#end(one)));
  }

  async scaleTo(count: number): Promise<void> {
    while (this.#current.size < count) await this.#add();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.scaleToZero();
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
