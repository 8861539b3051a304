const FIRST_LENGTH = 4096;

export class IntegerList {
  #values = new Int32Array(FIRST_LENGTH);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** It may be longer than `size`. The array is replaced on growth. */
  get values(): Int32Array {
    return this.#values;
  }

  push(value: number): void {
    if (this.#size === this.#values.length) {
      const larger = new Int32Array(this.#size * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#size] = value;
    this.#size += 1;
  }
}
