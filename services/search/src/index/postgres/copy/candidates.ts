import type { Admission } from './admission.ts';
import type { Marks, Places } from './scratch.ts';
import type { Run } from './texts.ts';

/** Observations to be scored, in the order in which they were found. */
export class Candidates {
  readonly documents: number[] = [];
  /** The place of a number in `documents`, from 1. */
  readonly places: Places;
  readonly #admits: Admission;

  constructor(places: Places, admits: Admission) {
    this.places = places;
    this.#admits = admits;
  }

  /** Takes what has all marks and passes the filters. */
  takeRuns(runs: readonly Run[], ...marked: readonly Marks[]): void {
    const { values, base } = this.places;
    for (const { first, documents, from, to } of runs)
      for (let at = from; at < to; at += 1) {
        const document = first + (documents[at] ?? 0);
        if ((values[document] ?? 0) < base && (marked.length === 0 || hasAll(marked, document))) this.#take(document);
      }
  }

  /** The same of all numbers below one. */
  takeBelow(end: number, ...marked: readonly Marks[]): void {
    const { values, base } = this.places;
    for (let document = 0; document < end; document += 1)
      if ((values[document] ?? 0) < base && hasAll(marked, document)) this.#take(document);
  }

  /** Takes what is known to pass. */
  takeAdmitted(document: number): void {
    const { values, base } = this.places;
    if ((values[document] ?? 0) <= base) values[document] = base + this.documents.push(document);
  }

  #take(document: number): void {
    const { values, base } = this.places;
    values[document] = this.#admits(document) ? base + this.documents.push(document) : base;
  }
}

function hasAll(marked: readonly Marks[], document: number): boolean {
  for (const { values, mark } of marked) if (values[document] !== mark) return false;
  return true;
}
