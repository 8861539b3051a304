import { growing } from './growing.ts';

/** Observations of a company in order: from one place in lists to before another. */
export interface OrderedObservations {
  /** Their numbers. */
  readonly numbers: Int32Array;
  /** Their codes when they were put in order: one may be dead since. Most are left out by these, without a look at each where it is. */
  readonly codesThen: Uint16Array;
  readonly from: number;
  readonly to: number;
}

/** How observations are put in order, and what their codes are. */
export interface Ordering {
  readonly order: (a: number, b: number) => number;
  readonly codes: Uint16Array;
}

/** What a company takes, and each observation in order, in bytes. */
const COMPANY_BYTES = 16;
const LISTED_BYTES = 6;
/** Places that may be left behind by what was put in order again, beside as many as are used. */
const LEFT_BEHIND = 10_000;
const NONE = -1;

/** Observations of each company, by the numbers of both; put in order when they are first asked for, and again when there is one more. */
export class CompanyObservations {
  /** Of each company the last one, and of each observation the one before it of the same company. */
  readonly #last = growing(Int32Array);
  readonly #previous = growing(Int32Array);
  readonly #counts = growing(Int32Array);
  /** Where those of a company stand in order, if they do. */
  readonly #starts = growing(Int32Array);
  readonly #numbers = growing(Int32Array);
  readonly #codesThen = growing(Uint16Array);
  #companies = 0;
  /** Places taken so far, and those that are used. */
  #end = 0;
  #used = 0;

  add(company: number, observation: number): void {
    for (; this.#companies <= company; this.#companies += 1) {
      this.#last.set(this.#companies, NONE);
      this.#counts.set(this.#companies, 0);
      this.#starts.set(this.#companies, NONE);
    }
    const count = this.#counts.values[company] ?? 0;
    if (this.#starts.values[company] !== NONE) this.#used -= count;
    this.#starts.set(company, NONE);
    this.#previous.set(observation, this.#last.values[company] ?? NONE);
    this.#last.set(company, observation);
    this.#counts.set(company, count + 1);
  }

  /** Companies are numbered below. */
  get companiesEnd(): number {
    return this.#companies;
  }

  /** Those of a company, by an order that is always the same. */
  of(company: number, ordering: Ordering): OrderedObservations {
    const count = company < this.#companies ? (this.#counts.values[company] ?? 0) : 0;
    let from = company < this.#companies ? (this.#starts.values[company] ?? NONE) : 0;
    if (from === NONE) from = this.#putInOrder(company, count, ordering);
    return { numbers: this.#numbers.values, codesThen: this.#codesThen.values, from, to: from + count };
  }

  get bytes(): number {
    return this.#companies * COMPANY_BYTES + this.#end * LISTED_BYTES;
  }

  #putInOrder(company: number, count: number, { order, codes }: Ordering): number {
    if (this.#end > 2 * this.#used + LEFT_BEHIND) this.#forgetAll();
    const list: number[] = [];
    const [last, previous] = [this.#last.values, this.#previous.values];
    for (let at = last[company] ?? NONE; at !== NONE; at = previous[at] ?? NONE) list.push(at);
    list.sort(order);
    const from = this.#end;
    for (const [at, number] of list.entries()) {
      this.#numbers.set(from + at, number);
      this.#codesThen.set(from + at, codes[number] ?? 0);
    }
    this.#starts.set(company, from);
    this.#end += count;
    this.#used += count;
    return from;
  }

  #forgetAll(): void {
    this.#starts.values.fill(NONE, 0, this.#companies);
    this.#end = 0;
    this.#used = 0;
  }
}
