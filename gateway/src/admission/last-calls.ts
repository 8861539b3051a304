/** After its last call an account counts as active. */
const ACTIVE_FOR_MS = 1_000;

export class LastCalls {
  #accountId: bigint | undefined;
  #at = Number.NEGATIVE_INFINITY;
  #otherAt = Number.NEGATIVE_INFINITY;

  note(accountId: bigint, now: number): void {
    if (accountId !== this.#accountId) {
      this.#otherAt = this.#at;
      this.#accountId = accountId;
    }
    this.#at = now;
  }

  isOnlyActiveAccount(accountId: bigint, now: number): boolean {
    return now - (accountId === this.#accountId ? this.#otherAt : this.#at) >= ACTIVE_FOR_MS;
  }
}
