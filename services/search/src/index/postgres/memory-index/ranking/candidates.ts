import { DEAD } from '../documents/observation-code.ts';
import type { Run } from '../inverted-index/inverted-index.ts';
import type { MemoryIndexView } from '../memory-index.ts';
import { isMarked, type Marks, type Slots } from './buffer-pool.ts';
import type { ObservationFilter } from './observation-filter.ts';

export class Candidates {
  readonly slots: Slots;
  readonly #taken: Int32Array;
  #count = 0;
  readonly #codes: Uint16Array;
  readonly #filter: ObservationFilter;

  constructor({ observations, buffers }: Pick<MemoryIndexView, 'observations' | 'buffers'>, filter: ObservationFilter) {
    this.slots = buffers.slots(observations.size);
    this.#taken = buffers.integers(observations.size);
    this.#codes = observations.codes.values;
    this.#filter = filter;
  }

  get documents(): Int32Array {
    return this.#taken.subarray(0, this.#count);
  }

  takeRuns(runs: readonly Run[]): void {
    const passing = this.#filter.codes;
    const codes = this.#codes;
    for (const { first, documents, from, to } of runs)
      for (let at = from; at < to; at += 1) {
        const document = first + (documents[at] ?? 0);
        if (passing[codes[document] ?? DEAD] === 1) this.#takeIfPassing(document);
      }
  }

  takeMarked(end: number, marks: Marks): void {
    const passing = this.#filter.codes;
    for (let document = 0; document < end; document += 1)
      if (passing[this.#codes[document] ?? DEAD] === 1 && isMarked(marks, document)) this.#takeIfPassing(document);
  }

  takeMatching(document: number): void {
    const { values, base } = this.slots;
    if ((values[document] ?? 0) <= base) values[document] = base + this.#push(document);
  }

  #takeIfPassing(document: number): void {
    const { values, base } = this.slots;
    if ((values[document] ?? 0) >= base) return;
    values[document] = this.#filter.passes(document) ? base + this.#push(document) : base;
  }

  #push(document: number): number {
    this.#taken[this.#count] = document;
    this.#count += 1;
    return this.#count;
  }
}
