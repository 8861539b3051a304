import { growing } from './growing.ts';

/** Bytes a company takes. */
const COMPANY_BYTES = 70;

/** Numbers of companies, those with observations and those with descriptions alike; a company keeps its number. */
export class CompanyNumbers {
  readonly ids = growing(Float64Array);
  readonly #numbers = new Map<number, number>();

  /** Numbers given so far. */
  get size(): number {
    return this.#numbers.size;
  }

  get bytes(): number {
    return this.size * COMPANY_BYTES;
  }

  /** The number of a company, a new one where it is not known. */
  numberOf(id: number): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(id, number);
    this.ids.set(number, id);
    return number;
  }
}
