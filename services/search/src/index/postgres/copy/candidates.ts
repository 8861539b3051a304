import type { Admission } from './admission.ts';
import type { CopiedDocuments } from './copied-index.ts';

/** Observations to be scored, in the order in which they were found. */
export class Candidates {
  readonly documents: number[] = [];
  /** The place of a number in `documents`, from 1. */
  readonly placeOf: Int32Array;
  readonly #admits: Admission;

  constructor({ observations, scratch }: CopiedDocuments, admits: Admission) {
    this.placeOf = scratch.ints(observations.size);
    this.#admits = admits;
  }

  /** Takes what passes the filters. */
  take(document: number): void {
    const place = this.placeOf[document];
    if (place !== 0) return;
    this.placeOf[document] = this.#admits(document) ? this.documents.push(document) : -1;
  }

  /** The same for what is known to pass. */
  takeAdmitted(document: number): void {
    if ((this.placeOf[document] ?? 0) <= 0) this.placeOf[document] = this.documents.push(document);
  }
}
