/** What is asked of the installation for one owner; see PlaceShareWish of the contract. */
export interface PlaceShareWish {
  readonly owner: string;
  readonly occupied: number;
  readonly wanted: number;
  readonly most: number;
}

/** Places are kept for 5 s where they are given; this process counts on them for less, in milliseconds. */
const KEPT_MS = 4_000;
/** After a refusal nothing is asked for so long, in milliseconds. */
const REFUSED_MS = 100;

/** The places of one owner's calls in flight that this process has. Times are milliseconds that never go back. */
export class PlaceShare {
  readonly owner: string;
  readonly #waiting: ((hasPlace: boolean) => void)[] = [];
  #most: number;
  #occupied = 0;
  #places = 0;
  #wanted = 0;
  #keptUntil = Number.NEGATIVE_INFINITY;
  #refusedUntil = Number.NEGATIVE_INFINITY;
  /** Places that were occupied at once since the last wish. */
  #peak = 0;

  constructor(owner: string, most: number) {
    this.owner = owner;
    this.#most = most;
  }

  /** Occupies a place: whether there was one; undefined when that must be asked. The first one is occupied before it is asked for. */
  occupy(now: number, most: number): boolean | undefined {
    this.#most = most;
    const isFirst = this.#occupied === 0 && this.#places === 0;
    if (isFirst || (this.#occupied < this.#places && now < this.#keptUntil)) {
      this.#take();
      return true;
    }
    return now < this.#refusedUntil ? false : undefined;
  }

  /** Occupies a place unless this process alone has as many as all may have: for while nobody can be asked. */
  occupyAlone(most: number): boolean {
    if (this.#occupied >= most) return false;
    this.#take();
    return true;
  }

  leave(): void {
    this.#occupied -= 1;
  }

  /** Resolves with whether the next answer leaves a place, which is then occupied. */
  wait(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Whether calls are in no place: those of this process that began while it had none, and have ended since. */
  get isIdle(): boolean {
    return this.#places === 0 && this.#occupied === 0 && !this.hasWaiting;
  }

  /** Whether calls wait for a place, or are in one that was not asked for yet. */
  get isShort(): boolean {
    return this.hasWaiting || this.#occupied > this.#places;
  }

  /** Whether this process has given all places of the owner back, and nobody has come since. */
  get isUnused(): boolean {
    return this.#places === 0 && this.#occupied === 0 && !this.hasWaiting && this.#peak === 0;
  }

  /** What was in use since the last wish; when that grows one more, so that the next call need not ask. */
  wish(): PlaceShareWish {
    const used = this.#occupied + this.#waiting.length;
    this.#wanted = Math.min(this.#most, this.isShort ? used + 1 : this.#peak);
    this.#peak = this.#occupied;
    return { owner: this.owner, occupied: this.#occupied, wanted: this.#wanted, most: this.#most };
  }

  answer(places: number, now: number): void {
    this.#places = places;
    this.#keptUntil = now + KEPT_MS;
    while (this.#waiting.length > 0 && this.#occupied < places) {
      this.#take();
      this.#waiting.shift()?.(true);
    }
    // Those who came while it was asked wait for the next answer, unless others leave no more.
    if (places >= this.#wanted && this.#occupied < this.#most) return;
    this.#refusedUntil = now + REFUSED_MS;
    for (const resolve of this.#waiting.splice(0)) resolve(false);
  }

  /** Nobody can be asked: those who wait have a place as long as this process alone has fewer than all may have. */
  fail(): void {
    for (const resolve of this.#waiting.splice(0)) resolve(this.occupyAlone(this.#most));
  }

  #take(): void {
    this.#occupied += 1;
    this.#peak = Math.max(this.#peak, this.#occupied);
  }
}
