import { growing } from './growing.ts';

/** What the observations of a company take in order, in bytes: a list, and each of them. */
const LIST_BYTES = 200;
const IN_LIST_BYTES = 4;

/** Observations of each company, by the numbers of both; put in order when they are first asked for, and again when there is one more. */
export class CompanyObservations {
  /** Of each company the last one, and of each observation the one before it of the same company; -1: none. */
  readonly #last = growing(Int32Array);
  readonly #previous = growing(Int32Array);
  readonly #ordered: (Int32Array | undefined)[] = [];
  #lists = 0;
  #listed = 0;

  add(company: number, observation: number): void {
    this.#forget(company);
    while (this.#ordered.length <= company) {
      this.#last.set(this.#ordered.length, -1);
      this.#ordered.push(undefined);
    }
    this.#previous.set(observation, this.#last.values[company] ?? -1);
    this.#last.set(company, observation);
  }

  /** Those of a company by an order that is always the same. */
  of(company: number, order: (a: number, b: number) => number): Int32Array {
    const known = this.#ordered[company];
    if (known) return known;
    const list: number[] = [];
    const [last, previous] = [this.#last.values, this.#previous.values];
    if (company >= this.#ordered.length) return EMPTY;
    for (let at = last[company] ?? -1; at >= 0; at = previous[at] ?? -1) list.push(at);
    const ordered = Int32Array.from(list.sort(order));
    this.#ordered[company] = ordered;
    this.#lists += 1;
    this.#listed += ordered.length;
    return ordered;
  }

  /** What the lists take that are in order now. */
  get bytes(): number {
    return this.#lists * LIST_BYTES + this.#listed * IN_LIST_BYTES;
  }

  #forget(company: number): void {
    const list = this.#ordered[company];
    if (!list) return;
    this.#ordered[company] = undefined;
    this.#lists -= 1;
    this.#listed -= list.length;
  }
}

const EMPTY = new Int32Array(0);
