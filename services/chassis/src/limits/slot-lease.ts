export interface SlotLeaseRequest {
  readonly owner: string;
  readonly occupied: number;
  readonly wanted: number;
  readonly most: number;
}

/** Less than the ledger's 5 s. */
const KEPT_MS = 4_000;
const REFUSED_MS = 100;
/** Above this share of the owner's slots, a process keeps no spare one. */
const MOST_WITH_SPARE = 1 / 8;

export class SlotLease {
  readonly owner: string;
  readonly #waiting: ((hasSlot: boolean) => void)[] = [];
  #most: number;
  #occupied = 0;
  #slots = 0;
  #wanted = 0;
  #keptUntil = Number.NEGATIVE_INFINITY;
  #refusedUntil = Number.NEGATIVE_INFINITY;
  #peak = 0;

  constructor(owner: string, most: number) {
    this.owner = owner;
    this.#most = most;
  }

  /** Undefined if the ledger must decide. The first call occupies its slot before that. */
  occupy(now: number, most: number): boolean | undefined {
    this.#most = most;
    const isFirst = this.#occupied === 0 && this.#slots === 0;
    if (isFirst || (this.#occupied < this.#slots && now < this.#keptUntil)) {
      this.#take();
      return true;
    }
    return now < this.#refusedUntil ? false : undefined;
  }

  occupyLocally(most: number): boolean {
    if (this.#occupied >= most) return false;
    this.#take();
    return true;
  }

  leave(): void {
    this.#occupied -= 1;
  }

  wait(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  get isIdle(): boolean {
    return this.#slots === 0 && this.#occupied === 0 && !this.hasWaiting;
  }

  get isShort(): boolean {
    return this.hasWaiting || this.#occupied > this.#slots;
  }

  get isUnused(): boolean {
    return this.#slots === 0 && this.#occupied === 0 && !this.hasWaiting && this.#peak === 0;
  }

  /**
   * A spare slot while use grows, unless the owner is near its limit: another process would lack
   * it.
   */
  request(): SlotLeaseRequest {
    const used = this.#occupied + this.#waiting.length;
    const spare = used < this.#most * MOST_WITH_SPARE ? 1 : 0;
    this.#wanted = Math.min(this.#most, this.isShort ? used + spare : this.#peak);
    this.#peak = this.#occupied;
    return { owner: this.owner, occupied: this.#occupied, wanted: this.#wanted, most: this.#most };
  }

  answer(slots: number, now: number): void {
    this.#slots = slots;
    this.#keptUntil = now + KEPT_MS;
    while (this.#waiting.length > 0 && this.#occupied < slots) {
      this.#take();
      this.#waiting.shift()?.(true);
    }
    // Calls that arrived meanwhile wait for the next answer, unless no slots are left.
    if (slots >= this.#wanted && this.#occupied < this.#most) return;
    this.#refusedUntil = now + REFUSED_MS;
    for (const resolve of this.#waiting.splice(0)) resolve(false);
  }

  fail(): void {
    for (const resolve of this.#waiting.splice(0)) resolve(this.occupyLocally(this.#most));
  }

  #take(): void {
    this.#occupied += 1;
    this.#peak = Math.max(this.#peak, this.#occupied);
  }
}
