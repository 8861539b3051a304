/** Places that one ranking gives to numbers: `base` and more for what it has seen, the place from 1 on beyond that, and 0 beyond it for what it left out. */
export interface Places {
  readonly values: Int32Array;
  readonly base: number;
}

/** Numbers that one ranking marks: those whose value is `mark`. */
export interface Marks {
  readonly values: Uint8Array;
  readonly mark: number;
}

/** So many times what is asked for is made, so that a copy that grows does not outgrow it with each ranking. */
const SPARE = 1.25;
const HIGHEST_PLACE = 2 ** 31 - 1;
const HIGHEST_MARK = 2 ** 8 - 1;

/**
 * Arrays that one ranking after the other uses. Those as long as the copy mean by other values what they meant to the one before, so that
 * they are cleared once in many rankings: to make or to clear them each time costs as much as to rank.
 */
export class Scratch {
  readonly #places: Lent<Int32Array>[] = [];
  readonly #marks: Lent<Uint8Array>[] = [];
  readonly #floats: Lent<Float64Array>[] = [];
  readonly #integers: Lent<Int32Array>[] = [];
  #lentPlaces = 0;
  #lentMarks = 0;
  #lentFloats = 0;
  #lentIntegers = 0;

  /** Begins a ranking, which has all that the one before had. */
  begin(): void {
    this.#lentPlaces = 0;
    this.#lentMarks = 0;
    this.#lentFloats = 0;
    this.#lentIntegers = 0;
  }

  /** So many numbers, whatever they are. */
  floats(length: number): Float64Array {
    const { values } = lend(this.#floats, this.#lentFloats, length, Float64Array);
    this.#lentFloats += 1;
    return values.subarray(0, length);
  }

  /** The same of integers of 32 bits. */
  integers(length: number): Int32Array {
    const { values } = lend(this.#integers, this.#lentIntegers, length, Int32Array);
    this.#lentIntegers += 1;
    return values.subarray(0, length);
  }

  /** Room for numbers below a length, none of which has a place. */
  places(length: number): Places {
    const lent = lend(this.#places, this.#lentPlaces, length, Int32Array);
    this.#lentPlaces += 1;
    const base = nextMeaning(lent, length + 1, HIGHEST_PLACE);
    return { values: lent.values, base };
  }

  /** Room for numbers below a length, none of which is marked. */
  marks(length: number): Marks {
    const lent = lend(this.#marks, this.#lentMarks, length, Uint8Array);
    this.#lentMarks += 1;
    const mark = nextMeaning(lent, 1, HIGHEST_MARK);
    return { values: lent.values, mark };
  }
}

interface Lent<T> {
  readonly values: T;
  /** The lowest value that means nothing yet. */
  next: number;
}

function lend<T extends Int32Array | Uint8Array | Float64Array>(
  kept: Lent<T>[],
  at: number,
  length: number,
  type: new (length: number) => T,
): Lent<T> {
  const known = kept[at];
  if (known && known.values.length >= length) return known;
  const made = { values: new type(Math.ceil(length * SPARE)), next: 1 };
  kept[at] = made;
  return made;
}

/** Takes so many values that mean nothing yet, and returns the first. */
function nextMeaning(lent: Lent<Int32Array | Uint8Array>, values: number, highest: number): number {
  if (lent.next + values > highest + 1) {
    lent.values.fill(0);
    lent.next = 1;
  }
  const first = lent.next;
  lent.next += values;
  return first;
}
