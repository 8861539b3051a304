import type { CompanyNumbers } from './company-numbers.ts';
import { growableArray } from './growable-array.ts';

/** The company is no duplicate of another. `length` is in words. */
export interface LoadedCompany {
  readonly id: number;
  readonly length: number;
}

const ROW_BYTES = 60;

/** Stores columns by number. A changed description gets a new number, and the old one is dead. */
export class CompanyTable {
  readonly companies = growableArray(Int32Array);
  readonly lengths = growableArray(Int32Array);
  readonly alive = growableArray(Uint8Array);
  readonly #companyNumbers: CompanyNumbers;
  readonly #numbers = new Map<number, number>();
  #size = 0;

  constructor(companyNumbers: CompanyNumbers) {
    this.#companyNumbers = companyNumbers;
  }

  get size(): number {
    return this.#size;
  }

  get dead(): number {
    return this.#size - this.#numbers.size;
  }

  get bytes(): number {
    return this.#size * ROW_BYTES;
  }

  add({ id, length }: LoadedCompany): number {
    this.remove(id);
    const number = this.#size;
    this.#size += 1;
    this.companies.set(number, this.#companyNumbers.numberOf(id));
    this.lengths.set(number, length);
    this.alive.set(number, 1);
    this.#numbers.set(id, number);
    return number;
  }

  remove(id: number): void {
    const number = this.#numbers.get(id);
    if (number === undefined) return;
    this.alive.set(number, 0);
    this.#numbers.delete(id);
  }
}
