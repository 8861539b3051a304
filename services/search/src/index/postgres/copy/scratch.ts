type Numbers = Int32Array | Float64Array | Uint8Array;

/** Arrays of one type, and how many of them this ranking has. */
interface Kept<T extends Numbers> {
  readonly arrays: T[];
  lent: number;
}

/** So many times what is asked for is made, so that a copy that grows does not outgrow it with each ranking. */
const SPARE = 1.25;
/** Longer zeros are made anew: the system gives their pages as they are touched, a few of them as a rule, where clearing touches all. */
const LONGEST_CLEARED = 262_144;

/**
 * Arrays that one ranking after the other uses. Each needs some as long as the copy, which to make and collect costs as much as
 * to rank.
 */
export class Scratch {
  readonly #ints: Kept<Int32Array> = { arrays: [], lent: 0 };
  readonly #floats: Kept<Float64Array> = { arrays: [], lent: 0 };
  readonly #bytes: Kept<Uint8Array> = { arrays: [], lent: 0 };

  /** Begins a ranking, which has all that the one before had. */
  begin(): void {
    for (const kept of [this.#ints, this.#floats, this.#bytes]) kept.lent = 0;
  }

  /** Zeros. */
  ints(length: number): Int32Array {
    return length > LONGEST_CLEARED ? new Int32Array(length) : take(this.#ints, Int32Array, length).fill(0);
  }

  /** A value everywhere. */
  floats(length: number, value: number): Float64Array {
    return take(this.#floats, Float64Array, length).fill(value);
  }

  /** Zeros. */
  bytes(length: number): Uint8Array {
    return length > LONGEST_CLEARED ? new Uint8Array(length) : take(this.#bytes, Uint8Array, length).fill(0);
  }
}

function take<T extends Numbers>(kept: Kept<T>, type: new (length: number) => T, length: number): T {
  const at = kept.lent;
  kept.lent += 1;
  let array = kept.arrays[at];
  if (!array || array.length < length) {
    array = new type(Math.ceil(length * SPARE));
    kept.arrays[at] = array;
  }
  return array.subarray(0, length) as T;
}
