/** Retries that may be made at once after a time without any. */
const BURST = 20;
/** What a call adds: retries never grow beyond a tenth of the calls, so that a peer in trouble is not buried by them. */
const A_CALL = 0.1;

/** Bounds the retries of one client to a share of its calls (promise R23). */
export class RetryBudget {
  #left = BURST;

  /** A first attempt was made. */
  earn(): void {
    this.#left = Math.min(BURST, this.#left + A_CALL);
  }

  /** Whether one more attempt may be made; it counts as made. */
  spend(): boolean {
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
