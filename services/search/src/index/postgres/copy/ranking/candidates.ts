import type { SearchedCopy } from '../copied-index.ts';
import { DEAD } from '../documents/observation-code.ts';
import type { Run } from '../texts/texts.ts';
import type { Admission } from './admission.ts';
import { isMarked, type Marks, type Places } from './scratch.ts';

export class Candidates {
  readonly places: Places;
  readonly #taken: Int32Array;
  #count = 0;
  readonly #codes: Uint16Array;
  readonly #admission: Admission;

  constructor({ observations, scratch }: Pick<SearchedCopy, 'observations' | 'scratch'>, admission: Admission) {
    this.places = scratch.places(observations.size);
    this.#taken = scratch.integers(observations.size);
    this.#codes = observations.codes.values;
    this.#admission = admission;
  }

  get documents(): Int32Array {
    return this.#taken.subarray(0, this.#count);
  }

  takeRuns(runs: readonly Run[], ...marked: readonly Marks[]): void {
    const passing = this.#admission.codes;
    const codes = this.#codes;
    for (const { first, documents, from, to } of runs)
      for (let at = from; at < to; at += 1) {
        const document = first + (documents[at] ?? 0);
        if (passing[codes[document] ?? DEAD] !== 1) continue;
        if (marked.length === 0 || hasAll(marked, document)) this.#takeOfCode(document);
      }
  }

  takeBelow(end: number, ...marked: readonly Marks[]): void {
    const passing = this.#admission.codes;
    for (let document = 0; document < end; document += 1)
      if (passing[this.#codes[document] ?? DEAD] === 1 && hasAll(marked, document)) this.#takeOfCode(document);
  }

  takeAdmitted(document: number): void {
    const { values, base } = this.places;
    if ((values[document] ?? 0) <= base) values[document] = base + this.#push(document);
  }

  #takeOfCode(document: number): void {
    const { values, base } = this.places;
    if ((values[document] ?? 0) >= base) return;
    values[document] = this.#admission.passes(document) ? base + this.#push(document) : base;
  }

  #push(document: number): number {
    this.#taken[this.#count] = document;
    this.#count += 1;
    return this.#count;
  }
}

function hasAll(marked: readonly Marks[], document: number): boolean {
  for (const marks of marked) if (!isMarked(marks, document)) return false;
  return true;
}
