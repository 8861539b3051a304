import { DEAD } from '../documents/observation-code.ts';
import type { Run } from '../texts/texts.ts';
import type { Admission } from './admission.ts';
import type { Marks, Places } from './scratch.ts';

/** Observations to be scored, in the order in which they were found. */
export class Candidates {
  readonly documents: number[] = [];
  /** The place of a number in `documents`, from 1. */
  readonly places: Places;
  readonly #codes: Uint16Array;
  readonly #admission: Admission;

  /** `codes` are those of all observations. */
  constructor(places: Places, codes: Uint16Array, admission: Admission) {
    this.places = places;
    this.#codes = codes;
    this.#admission = admission;
  }

  /** Takes what has all marks and passes the filters. */
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

  /** The same of all numbers below one. */
  takeBelow(end: number, ...marked: readonly Marks[]): void {
    const passing = this.#admission.codes;
    for (let document = 0; document < end; document += 1)
      if (passing[this.#codes[document] ?? DEAD] === 1 && hasAll(marked, document)) this.#takeOfCode(document);
  }

  /** Takes what is known to pass. */
  takeAdmitted(document: number): void {
    const { values, base } = this.places;
    if ((values[document] ?? 0) <= base) values[document] = base + this.documents.push(document);
  }

  #takeOfCode(document: number): void {
    const { values, base } = this.places;
    if ((values[document] ?? 0) >= base) return;
    values[document] = this.#admission.passes(document) ? base + this.documents.push(document) : base;
  }
}

function hasAll(marked: readonly Marks[], document: number): boolean {
  for (const { values, mark } of marked) if (values[document] !== mark) return false;
  return true;
}
