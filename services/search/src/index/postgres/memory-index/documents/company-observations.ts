import { growableArray } from './growable-array.ts';

export interface OrderedObservations {
  readonly numbers: Int32Array;
  /** Codes at the time of sorting; an observation may be dead by now. */
  readonly codesThen: Uint16Array;
  readonly from: number;
  readonly to: number;
}

export interface Ordering {
  readonly order: (a: number, b: number) => number;
  readonly codes: Uint16Array;
}

const COMPANY_BYTES = 20;
const LISTED_BYTES = 6;
/** Unused slots of the arrays beyond the number of used ones. */
const LEFT_BEHIND = 10_000;
const NONE = -1;

/** Sorts the observations of a company on access and merges later additions. */
export class CompanyObservations {
  /** Linked lists: the last observation of each company, the previous one of each observation. */
  readonly #last = growableArray(Int32Array);
  readonly #previous = growableArray(Int32Array);
  readonly #counts = growableArray(Int32Array);
  readonly #starts = growableArray(Int32Array);
  readonly #inOrder = growableArray(Int32Array);
  readonly #numbers = growableArray(Int32Array);
  readonly #codesThen = growableArray(Uint16Array);
  #companies = 0;
  #end = 0;
  #used = 0;

  add(company: number, observation: number): void {
    for (; this.#companies <= company; this.#companies += 1) {
      this.#last.set(this.#companies, NONE);
      this.#counts.set(this.#companies, 0);
      this.#starts.set(this.#companies, 0);
      this.#inOrder.set(this.#companies, 0);
    }
    this.#previous.set(observation, this.#last.values[company] ?? NONE);
    this.#last.set(company, observation);
    this.#counts.set(company, (this.#counts.values[company] ?? 0) + 1);
  }

  get companiesEnd(): number {
    return this.#companies;
  }

  /** The order must never change. */
  of(company: number, ordering: Ordering): OrderedObservations {
    const count = company < this.#companies ? (this.#counts.values[company] ?? 0) : 0;
    if (count !== (this.#inOrder.values[company] ?? 0)) this.#putInOrder(company, count, ordering);
    const from = this.#starts.values[company] ?? 0;
    return { numbers: this.#numbers.values, codesThen: this.#codesThen.values, from, to: from + count };
  }

  get bytes(): number {
    return this.#companies * COMPANY_BYTES + this.#end * LISTED_BYTES;
  }

  #putInOrder(company: number, count: number, { order, codes }: Ordering): void {
    if (this.#end > 2 * this.#used + LEFT_BEHIND) this.#forgetAll();
    const before = this.#inOrder.values[company] ?? 0;
    const fresh: number[] = [];
    for (
      let at = this.#last.values[company] ?? NONE;
      fresh.length < count - before;
      at = this.#previous.values[at] ?? NONE
    )
      fresh.push(at);
    fresh.sort(order);
    const from = this.#end;
    let [old, next] = [this.#starts.values[company] ?? 0, 0];
    const oldEnd = old + before;
    for (let to = from; to < from + count; to += 1) {
      const one = fresh[next];
      const known = this.#numbers.values[old] ?? 0;
      const isOld = old < oldEnd && (one === undefined || order(known, one) < 0);
      if (isOld) old += 1;
      else next += 1;
      const number = isOld ? known : (one ?? 0);
      this.#numbers.set(to, number);
      this.#codesThen.set(to, codes[number] ?? 0);
    }
    this.#starts.set(company, from);
    this.#inOrder.set(company, count);
    this.#end += count;
    this.#used += count - before;
  }

  #forgetAll(): void {
    this.#inOrder.values.fill(0, 0, this.#companies);
    this.#end = 0;
    this.#used = 0;
  }
}
