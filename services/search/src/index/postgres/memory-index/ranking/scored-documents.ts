import type { Postings, Run } from '../inverted-index/inverted-index.ts';
import type { BufferPool, Slots } from './buffer-pool.ts';

/** Lists this many times longer than the documents are sought in, not scanned. */
const SEEKING = 16;

export class ScoredDocuments {
  readonly documents: Int32Array;
  readonly matched: Int32Array;
  /** Term frequency of each match minus one, if the lists have counts. */
  readonly counts: Uint8Array;
  readonly #slots: Slots;
  readonly #room: Int32Array;
  #sorted: Int32Array | undefined;

  constructor(documents: Int32Array, slots: Slots, buffers: BufferPool) {
    this.documents = documents;
    this.matched = buffers.integers(documents.length);
    this.counts = new Uint8Array(documents.length);
    this.#slots = slots;
    this.#room = buffers.integers(documents.length);
  }

  /** Returns the number of matches. Lists must not repeat a document. */
  match(runs: readonly (Run | Postings)[]): number {
    const listed = runs.reduce((sum, { from, to }) => sum + to - from, 0);
    return listed > SEEKING * this.documents.length ? this.#seek(runs) : this.#walk(runs);
  }

  #walk(runs: readonly (Run | Postings)[]): number {
    const { values, base } = this.#slots;
    const { matched, counts } = this;
    let found = 0;
    for (const run of runs) {
      const { first, documents, from, to } = run;
      const countsOf = 'counts' in run ? run.counts : undefined;
      for (let at = from; at < to; at += 1) {
        const slot = (values[first + (documents[at] ?? 0)] ?? 0) - base - 1;
        if (slot < 0) continue;
        matched[found] = slot;
        if (countsOf) counts[found] = countsOf[at] ?? 0;
        found += 1;
      }
    }
    return found;
  }

  #seek(runs: readonly (Run | Postings)[]): number {
    const { values, base } = this.#slots;
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

/** Galloping search for the first value ≥ `wanted`, which must exist. */
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
