/** How long a suspect runs at most before other jobs are claimed beside it, in milliseconds. */
const QUARANTINE_MS = 1_500;

/**
 * A job that may have ended its process begins with nothing claimed beside it, so that it takes other work with it only once
 * (promise R10). Then others come first for as long as that took: however many suspects wait, no job waits for more than one.
 */
export class Quarantine {
  readonly #onChange: () => void;
  #isOccupied = false;
  #restUntil = Number.NEGATIVE_INFINITY;

  /** `onChange` is called when jobs may be claimed again, and when the next suspect may be. */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Nothing else may be claimed now. */
  get isOccupied(): boolean {
    return this.#isOccupied;
  }

  /** The others have had their time. */
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
