import { setTimeout as pause } from 'node:timers/promises';

/** What a part runs as. */
export interface Running extends AsyncDisposable {
  readonly pid: number;
  readonly ended: Promise<unknown>;
}

const RETRY_PAUSE_MS = 300;
/** A part that does not come back within this time, in milliseconds, ends the run. */
const BACK_WITHIN_MS = 90_000;

/** A server or service that is started again whenever it has ended, as a supervisor of processes does. */
export class Part<T extends Running = Running> implements AsyncDisposable {
  readonly name: string;
  /** Ends that were not asked for: a bug, for which the run fails. */
  readonly unasked: string[] = [];
  /** kill -9 from outside, and ends at an armed crash point. */
  kills = 0;
  crashes = 0;
  readonly #start: () => Promise<T>;
  #current: T | undefined;
  #mayEnd: 'no' | 'kill' | 'crash' = 'no';
  #closed = false;
  #supervised: Promise<void> = Promise.resolve();
  /** Resolves when the part may come back. */
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

  /** kill -9; it comes back when `back` resolves. */
  async kill(back: Promise<void> = Promise.resolve()): Promise<void> {
    const running = this.#current;
    if (!running) return;
    this.#mayEnd = 'kill';
    this.#back = back;
    this.kills += 1;
    process.kill(running.pid, 'SIGKILL');
    await running.ended;
  }

  /** Its next end is asked for, whenever it comes: a crash point is armed. */
  expectCrash(): void {
    this.#mayEnd = 'crash';
  }

  /** No crash point is armed any more. */
  expectNoCrash(): void {
    this.#mayEnd = 'no';
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    if (this.#current) process.kill(this.#current.pid, signal);
  }

  /** Resolves when it runs. */
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

  /** What it needs may be down as well: tried until it works. */
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
