import { growableArray } from './growable-array.ts';

const COMPANY_BYTES = 70;

/** Observations and descriptions share these dense numbers. A number never changes. */
export class CompanyNumbers {
  readonly ids = growableArray(Float64Array);
  readonly #numbers = new Map<number, number>();

  get size(): number {
    return this.#numbers.size;
  }

  get bytes(): number {
    return this.size * COMPANY_BYTES;
  }

  numberOf(id: number): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(id, number);
    this.ids.set(number, id);
    return number;
  }
}
