/**
 * Simulates processors that all running jobs share evenly. It uses `performance` and `setTimeout`,
 * which the test replaces, so results are the same on every machine.
 */
export class Machine {
  readonly #processors: number;
  readonly #jobs = new Set<{ leftMs: number; readonly end: () => void }>();
  #at = performance.now();
  #timer: NodeJS.Timeout | undefined;

  constructor(processors: number) {
    this.#processors = processors;
  }

  async compute(ms: number): Promise<void> {
    await new Promise<void>((end) => {
      this.#advance();
      this.#jobs.add({ leftMs: ms, end });
      this.#plan();
    });
  }

  #speed(): number {
    return Math.min(1, this.#processors / Math.max(1, this.#jobs.size));
  }

  #advance(): void {
    const done = (performance.now() - this.#at) * this.#speed();
    for (const job of this.#jobs) job.leftMs -= done;
    this.#at = performance.now();
  }

  #plan(): void {
    clearTimeout(this.#timer);
    if (this.#jobs.size === 0) return;
    const least = Math.min(...[...this.#jobs].map(({ leftMs }) => leftMs));
    this.#timer = setTimeout(() => this.#endDue(), Math.max(1, Math.ceil(least / this.#speed())));
  }

  #endDue(): void {
    this.#advance();
    for (const job of [...this.#jobs].filter(({ leftMs }) => leftMs <= 0)) {
      this.#jobs.delete(job);
      job.end();
    }
    this.#plan();
  }
}
