/**
 * A value minus `base` is the one-based position of a number. `base` means rejected; lower values
 * mean not seen.
 */
export interface Places {
  readonly values: Int32Array;
  readonly base: number;
}

export interface Marks {
  readonly values: Uint8Array;
  readonly mark: number;
}

export function isMarked({ values, mark }: Marks, number: number): boolean {
  return values[number] === mark;
}

/** Arrays grow by this factor, so that a growing index does not reallocate in each ranking. */
const SPARE = 1.25;
const HIGHEST_PLACE = 2 ** 31 - 1;
const HIGHEST_MARK = 2 ** 8 - 1;

/**
 * Reuses arrays across rankings. Each ranking uses new values as its epoch, so that arrays are
 * rarely cleared. Allocating or clearing them costs as much as the ranking.
 */
export class Scratch {
  readonly #places = new Lending(Int32Array);
  readonly #marks = new Lending(Uint8Array);
  readonly #floats = new Lending(Float64Array);
  readonly #integers = new Lending(Int32Array);

  begin(): void {
    for (const lending of [this.#places, this.#marks, this.#floats, this.#integers]) lending.begin();
  }

  /** The contents are undefined. */
  floats(length: number): Float64Array {
    return this.#floats.lend(length).values.subarray(0, length);
  }

  integers(length: number): Int32Array {
    return this.#integers.lend(length).values.subarray(0, length);
  }

  places(length: number): Places {
    const lent = this.#places.lend(length);
    const base = nextMeaning(lent, length + 1, HIGHEST_PLACE);
    return { values: lent.values, base };
  }

  marks(length: number): Marks {
    const lent = this.#marks.lend(length);
    const mark = nextMeaning(lent, 1, HIGHEST_MARK);
    return { values: lent.values, mark };
  }
}

interface Lent<T> {
  readonly values: T;
  /** Lower values already have a meaning. */
  next: number;
}

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

/** Reserves values for a new epoch and returns the first. */
function nextMeaning(lent: Lent<Int32Array | Uint8Array>, values: number, highest: number): number {
  if (lent.next + values > highest + 1) {
    lent.values.fill(0);
    lent.next = 1;
  }
  const first = lent.next;
  lent.next += values;
  return first;
}
