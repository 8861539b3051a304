export class AccountCount {
  readonly #byAccount = new Map<bigint, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  get byAccount(): ReadonlyMap<bigint, number> {
    return this.#byAccount;
  }

  add(accountId: bigint): void {
    this.#total += 1;
    this.#byAccount.set(accountId, (this.#byAccount.get(accountId) ?? 0) + 1);
  }

  remove(accountId: bigint): void {
    this.#total -= 1;
    const left = (this.#byAccount.get(accountId) ?? 0) - 1;
    if (left > 0) this.#byAccount.set(accountId, left);
    else this.#byAccount.delete(accountId);
  }
}
