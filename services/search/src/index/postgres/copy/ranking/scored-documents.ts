import type { Postings, Run } from '../texts/texts.ts';
import type { Places, Scratch } from './scratch.ts';

/** From so many documents in lists for each one that is scored these are looked for in them: lists are then not gone through. */
const SEEKING = 16;

/** Documents that are scored, each at a place, and which of them a list has: what was asked for last. */
export class ScoredDocuments {
  readonly documents: Int32Array;
  /** Places, from 0 on, of those that the lists asked for last have. */
  readonly matched: Int32Array;
  /** One less than how often each of these has a word, where lists say so. */
  readonly counts: Uint8Array;
  readonly #places: Places;
  readonly #room: Int32Array;
  #sorted: Int32Array | undefined;

  constructor(documents: Int32Array, places: Places, scratch: Scratch) {
    this.documents = documents;
    this.matched = scratch.integers(documents.length);
    this.counts = new Uint8Array(documents.length);
    this.#places = places;
    this.#room = scratch.integers(documents.length);
  }

  /** Finds those that lists have, in which no document is twice, and returns how many these are. */
  match(runs: readonly (Run | Postings)[]): number {
    const listed = runs.reduce((sum, { from, to }) => sum + to - from, 0);
    return listed > SEEKING * this.documents.length ? this.#seek(runs) : this.#walk(runs);
  }

  #walk(runs: readonly (Run | Postings)[]): number {
    const { values, base } = this.#places;
    const { matched, counts } = this;
    let found = 0;
    for (const run of runs) {
      const { first, documents, from, to } = run;
      const countsOf = 'counts' in run ? run.counts : undefined;
      for (let at = from; at < to; at += 1) {
        const place = (values[first + (documents[at] ?? 0)] ?? 0) - base - 1;
        if (place < 0) continue;
        matched[found] = place;
        if (countsOf) counts[found] = countsOf[at] ?? 0;
        found += 1;
      }
    }
    return found;
  }

  #seek(runs: readonly (Run | Postings)[]): number {
    const { values, base } = this.#places;
    const { matched, counts } = this;
    this.#sorted ??= this.#inOrder();
    const sorted = this.#sorted;
    let found = 0;
    let next = 0;
    for (const run of runs) {
      const { first, documents, from, to } = run;
      const countsOf = 'counts' in run ? run.counts : undefined;
      const last = first + (documents[to - 1] ?? 0);
      while (next < sorted.length && (sorted[next] ?? 0) < first) next += 1;
      for (let at = from; next < sorted.length && (sorted[next] ?? 0) <= last; next += 1) {
        const document = sorted[next] ?? 0;
        at = firstFrom(documents, document - first, at, to);
        if (documents[at] !== document - first) continue;
        matched[found] = (values[document] ?? 0) - base - 1;
        if (countsOf) counts[found] = countsOf[at] ?? 0;
        found += 1;
      }
    }
    return found;
  }

  #inOrder(): Int32Array {
    this.#room.set(this.documents);
    return this.#room.sort();
  }
}

/** The first place from `from` on, before `to`, whose value is not lower; such a one there must be. It is mostly near. */
function firstFrom(values: Uint16Array, wanted: number, from: number, to: number): number {
  let low = from;
  let step = 1;
  while (low + step < to && (values[low + step] ?? 0) < wanted) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, to - 1);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
