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

export function isMarked({ values, mark }: Marks, number: number): boolean {
  return values[number] === mark;
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
  readonly #places = new Lending(Int32Array);
  readonly #marks = new Lending(Uint8Array);
  readonly #floats = new Lending(Float64Array);
  readonly #integers = new Lending(Int32Array);

  /** Begins a ranking, which has all that the one before had. */
  begin(): void {
    for (const lending of [this.#places, this.#marks, this.#floats, this.#integers]) lending.begin();
  }

  /** So many numbers, whatever they are. */
  floats(length: number): Float64Array {
    return this.#floats.lend(length).values.subarray(0, length);
  }

  /** The same of integers of 32 bits. */
  integers(length: number): Int32Array {
    return this.#integers.lend(length).values.subarray(0, length);
  }

  /** Room for numbers below a length, none of which has a place. */
  places(length: number): Places {
    const lent = this.#places.lend(length);
    const base = nextMeaning(lent, length + 1, HIGHEST_PLACE);
    return { values: lent.values, base };
  }

  /** Room for numbers below a length, none of which is marked. */
  marks(length: number): Marks {
    const lent = this.#marks.lend(length);
    const mark = nextMeaning(lent, 1, HIGHEST_MARK);
    return { values: lent.values, mark };
  }
}

interface Lent<T> {
  readonly values: T;
  /** The lowest value that means nothing yet. */
  next: number;
}

/** Arrays of one type, each lent once a ranking. */
class Lending<T extends Int32Array | Uint8Array | Float64Array> {
  readonly #type: new (
    length: number,
  ) => T;
  readonly #kept: Lent<T>[] = [];
  #lent = 0;

  constructor(type: new (length: number) => T) {
    this.#type = type;
  }

  begin(): void {
    this.#lent = 0;
  }

  lend(length: number): Lent<T> {
    let lent = this.#kept[this.#lent];
    if (!lent || lent.values.length < length) {
      lent = { values: new this.#type(Math.ceil(length * SPARE)), next: 1 };
      this.#kept[this.#lent] = lent;
    }
    this.#lent += 1;
    return lent;
  }
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
