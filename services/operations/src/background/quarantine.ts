/** How long other claims wait for a suspect's run at most. */
const QUARANTINE_MS = 1_500;

/**
 * A job that may have crashed its process starts with no other claim, so that it crashes other work
 * at most once (promise R10). Other jobs then run for as long as that took.
 */
export class Quarantine {
  readonly #onChange: () => void;
  #isOccupied = false;
  #restUntil = Number.NEGATIVE_INFINITY;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get isOccupied(): boolean {
    return this.#isOccupied;
  }

  /** True once other jobs had as much time as the last suspect took. */
  get isRested(): boolean {
    return performance.now() >= this.#restUntil;
  }

  begin(run: Promise<unknown>): void {
    this.#isOccupied = true;
    const beganAt = performance.now();
    const timer = setTimeout(end, QUARANTINE_MS);
    const release = () => {
      this.#isOccupied = false;
      const restMs = performance.now() - beganAt;
      this.#restUntil = performance.now() + restMs;
      setTimeout(this.#onChange, Math.ceil(restMs)).unref();
      this.#onChange();
    };
    let hasEnded = false;
    function end() {
      clearTimeout(timer);
      if (!hasEnded) release();
      hasEnded = true;
    }
    void run.then(end);
  }
}
