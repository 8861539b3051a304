import { setTimeout as pause } from 'node:timers/promises';

export interface Running extends AsyncDisposable {
  readonly pid: number;
  readonly ended: Promise<unknown>;
}

const RETRY_PAUSE_MS = 300;
const BACK_WITHIN_MS = 90_000;

/** A server or service that restarts whenever it ends, as under a process supervisor. */
export class Part<T extends Running = Running> implements AsyncDisposable {
  readonly name: string;
  /** Unexpected exits. Each is a bug and fails the run. */
  readonly unasked: string[] = [];
  kills = 0;
  crashes = 0;
  readonly #start: () => Promise<T>;
  #current: T | undefined;
  #mayEnd: 'no' | 'kill' | 'crash' = 'no';
  #closed = false;
  #supervised: Promise<void> = Promise.resolve();
  #back: Promise<void> = Promise.resolve();

  private constructor(name: string, start: () => Promise<T>) {
    this.name = name;
    this.#start = start;
  }

  static async start<T extends Running>(name: string, start: () => Promise<T>): Promise<Part<T>> {
    const part = new Part(name, start);
    part.#current = await start();
    part.#supervised = part.#supervise();
    return part;
  }

  get current(): T {
    if (!this.#current) throw new Error(`${this.name} is down`);
    return this.#current;
  }

  get isUp(): boolean {
    return this.#current !== undefined;
  }

  async kill(back: Promise<void> = Promise.resolve()): Promise<void> {
    const running = this.#current;
    if (!running) return;
    this.#mayEnd = 'kill';
    this.#back = back;
    this.kills += 1;
    process.kill(running.pid, 'SIGKILL');
    await running.ended;
  }

  expectCrash(): void {
    this.#mayEnd = 'crash';
  }

  expectNoCrash(): void {
    this.#mayEnd = 'no';
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    if (this.#current) process.kill(this.#current.pid, signal);
  }

  async untilUp(): Promise<void> {
    for (const deadline = performance.now() + BACK_WITHIN_MS; !this.#current; await pause(50))
      if (performance.now() > deadline) throw new Error(`${this.name} did not come back`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.signal('SIGCONT');
    await this.#current?.[Symbol.asyncDispose]();
    await this.#supervised;
  }

  async #supervise(): Promise<void> {
    while (!this.#closed && this.#current) {
      const how = await this.#current.ended;
      this.#current = undefined;
      if (this.#closed) return;
      if (this.#mayEnd === 'no') this.unasked.push(`${this.name} ended by itself (${String(how)})`);
      if (this.#mayEnd === 'crash') this.crashes += 1;
      this.#mayEnd = 'no';
      await this.#back;
      this.#back = Promise.resolve();
      await this.#startAgain();
    }
  }

  /** Retries, because its dependencies may be down as well. */
  async #startAgain(): Promise<void> {
    for (const deadline = performance.now() + BACK_WITHIN_MS; !this.#closed && performance.now() < deadline; ) {
      try {
        this.#current = await this.#start();
        if (this.#closed) await this.#current[Symbol.asyncDispose]();
        return;
      } catch {
        await pause(RETRY_PAUSE_MS);
      }
    }
  }
}
