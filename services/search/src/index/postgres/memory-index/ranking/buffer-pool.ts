/** Value minus `base`: one-based position; `base`: rejected; lower: not seen. */
export interface Slots {
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
const HIGHEST_SLOT = 2 ** 31 - 1;
const HIGHEST_MARK = 2 ** 8 - 1;

/** Allocating or clearing arrays costs as much as ranking, so epochs mark stale values. */
export class BufferPool {
  readonly #slots = new ArrayPool(Int32Array);
  readonly #marks = new ArrayPool(Uint8Array);
  readonly #floats = new ArrayPool(Float64Array);
  readonly #integers = new ArrayPool(Int32Array);

  releaseAll(): void {
    for (const pool of [this.#slots, this.#marks, this.#floats, this.#integers]) pool.releaseAll();
  }

  floats(length: number): Float64Array {
    return this.#floats.acquire(length).values.subarray(0, length);
  }

  integers(length: number): Int32Array {
    return this.#integers.acquire(length).values.subarray(0, length);
  }

  slots(length: number): Slots {
    const acquired = this.#slots.acquire(length);
    const base = nextEpoch(acquired, length + 1, HIGHEST_SLOT);
    return { values: acquired.values, base };
  }

  marks(length: number): Marks {
    const acquired = this.#marks.acquire(length);
    const mark = nextEpoch(acquired, 1, HIGHEST_MARK);
    return { values: acquired.values, mark };
  }
}

interface PooledArray<T> {
  readonly values: T;
  /** Lower values belong to earlier epochs. */
  next: number;
}

class ArrayPool<T extends Int32Array | Uint8Array | Float64Array> {
  readonly #type: new (
    length: number,
  ) => T;
  readonly #arrays: PooledArray<T>[] = [];
  #acquired = 0;

  constructor(type: new (length: number) => T) {
    this.#type = type;
  }

  releaseAll(): void {
    this.#acquired = 0;
  }

  acquire(length: number): PooledArray<T> {
    let acquired = this.#arrays[this.#acquired];
    if (!acquired || acquired.values.length < length) {
      acquired = { values: new this.#type(Math.ceil(length * SPARE)), next: 1 };
      this.#arrays[this.#acquired] = acquired;
    }
    this.#acquired += 1;
    return acquired;
  }
}

function nextEpoch(acquired: PooledArray<Int32Array | Uint8Array>, values: number, highest: number): number {
  if (acquired.next + values > highest + 1) {
    acquired.values.fill(0);
    acquired.next = 1;
  }
  const first = acquired.next;
  acquired.next += values;
  return first;
}
