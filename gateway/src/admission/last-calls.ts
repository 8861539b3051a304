/** So long after its last call an account is still one that calls, in milliseconds. */
const CALLS_FOR_MS = 1_000;

/** Whether an account is the only one that calls: known by the two accounts that called last. */
export class LastCalls {
  #accountId: bigint | undefined;
  #at = Number.NEGATIVE_INFINITY;
  /** The last call of any account but that one. */
  #otherAt = Number.NEGATIVE_INFINITY;

  note(accountId: bigint, now: number): void {
    if (accountId !== this.#accountId) {
      this.#otherAt = this.#at;
      this.#accountId = accountId;
    }
    this.#at = now;
  }

  isAlone(accountId: bigint, now: number): boolean {
    return now - (accountId === this.#accountId ? this.#otherAt : this.#at) >= CALLS_FOR_MS;
  }
}
