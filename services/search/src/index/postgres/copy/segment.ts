import { IntegerList } from './integer-list.ts';
import type { Lexicon } from './lexicon.ts';
import { UNDATED_PARTITION } from './partition-number.ts';
import { readLexemesOf } from './tsvector-text.ts';

/** Documents of a segment at most: making one of so many, or of two, takes the event loop for tens of milliseconds. */
export const SEGMENT_DOCUMENTS = 5_000;

/** Which of some documents, numbered one behind the other, have which lexemes, how often and where; never changed. */
export interface Segment {
  /** The number of its first document. */
  readonly first: number;
  /** The lexeme of each row by its number, rising. */
  readonly lexemes: Int32Array;
  /** Where the documents of a row begin; one more than there are rows. */
  readonly starts: Uint32Array;
  /** Where the positions of a row begin; one more than there are rows. */
  readonly positionStarts: Uint32Array;
  /** How far documents are behind the first, rising within a row. */
  readonly documents: Uint16Array;
  /** One less than a lexeme has positions in each: the server keeps 256 at most. */
  readonly counts: Uint8Array;
  readonly positions: Uint16Array;
  /** Documents that it was made from. */
  readonly size: number;
  /** Between which partitions they lie, as `partitionNumber` gives them. */
  readonly oldest: number;
  readonly newest: number;
}

/** What a row takes beside its documents, in bytes. */
const ROW_BYTES = 12;

/** Makes a segment of documents with numbers one behind the other. */
export class SegmentBuilder {
  readonly #lexicon: Lexicon;
  /** Rows in the order in which lexemes are met. */
  readonly #rows = new Map<number, number>();
  readonly #rowOf = new IntegerList();
  readonly #documents = new IntegerList();
  readonly #counts = new IntegerList();
  readonly #positions = new IntegerList();
  #first = 0;
  #size = 0;
  #oldest = Number.POSITIVE_INFINITY;
  #newest = Number.NEGATIVE_INFINITY;

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
  }

  add(document: number, tsvector: string, partition = UNDATED_PARTITION): void {
    if (this.#size === 0) this.#first = document;
    const behindFirst = document - this.#first;
    this.#size += 1;
    this.#oldest = Math.min(this.#oldest, partition);
    this.#newest = Math.max(this.#newest, partition);
    readLexemesOf(tsvector, (text, positions) => {
      if (positions.length === 0) return;
      const lexeme = this.#lexicon.add(text);
      let row = this.#rows.get(lexeme);
      if (row === undefined) {
        row = this.#rows.size;
        this.#rows.set(lexeme, row);
      }
      this.#rowOf.push(row);
      this.#documents.push(behindFirst);
      this.#counts.push(positions.length);
      for (const position of positions) this.#positions.push(position);
    });
  }

  get size(): number {
    return this.#size;
  }

  build(): Segment {
    const lexemes = Int32Array.from(this.#rows.keys()).sort();
    const rowOf = this.#sortedRows(lexemes);
    const segment = {
      ...emptySegment(lexemes, rowOf.length, this.#positions.size),
      first: this.#first,
      size: this.#size,
      oldest: this.#oldest,
      newest: this.#newest,
    };
    const { starts, positionStarts } = segment;
    const counts = this.#counts.values;
    for (const [at, row] of rowOf.entries()) {
      starts[row + 1] = (starts[row + 1] ?? 0) + 1;
      positionStarts[row + 1] = (positionStarts[row + 1] ?? 0) + (counts[at] ?? 0);
    }
    addUp(starts);
    addUp(positionStarts);
    this.#fill(segment, rowOf);
    return segment;
  }

  /** The row of each lexeme of each document, where rows stand in the order of their lexemes' numbers. */
  #sortedRows(lexemes: Int32Array): Int32Array {
    const places = new Int32Array(lexemes.length);
    for (const [place, lexeme] of lexemes.entries()) places[this.#rows.get(lexeme) ?? 0] = place;
    return this.#rowOf.values.subarray(0, this.#rowOf.size).map((row) => places[row] ?? 0);
  }

  #fill({ starts, positionStarts, documents, counts, positions }: Segment, rowOf: Int32Array): void {
    const [documentOf, countOf] = [this.#documents.values, this.#counts.values];
    const read = this.#positions.values;
    const [next, nextPosition] = [starts.slice(), positionStarts.slice()];
    let from = 0;
    for (const [at, row] of rowOf.entries()) {
      const to = next[row] ?? 0;
      const until = from + (countOf[at] ?? 0);
      documents[to] = documentOf[at] ?? 0;
      counts[to] = until - from - 1;
      next[row] = to + 1;
      let position = nextPosition[row] ?? 0;
      for (; from < until; from += 1, position += 1) positions[position] = read[from] ?? 0;
      nextPosition[row] = position;
    }
  }
}

/** One segment of two, the second of which begins where the first ends. */
export function mergeSegments(first: Segment, second: Segment): Segment {
  const lexemes = Int32Array.from(new Set([...first.lexemes, ...second.lexemes])).sort();
  const merged = {
    ...emptySegment(
      lexemes,
      first.documents.length + second.documents.length,
      first.positions.length + second.positions.length,
    ),
    first: first.first,
    size: first.size + second.size,
    oldest: Math.min(first.oldest, second.oldest),
    newest: Math.max(first.newest, second.newest),
  };
  let at = 0;
  let position = 0;
  for (const [row, lexeme] of lexemes.entries()) {
    for (const part of [first, second]) {
      const from = rowOf(part, lexeme);
      if (from === undefined) continue;
      const behind = part.first - first.first;
      const documents = part.documents.subarray(part.starts[from], part.starts[from + 1]);
      const positions = part.positions.subarray(part.positionStarts[from], part.positionStarts[from + 1]);
      merged.documents.set(behind === 0 ? documents : documents.map((document) => document + behind), at);
      merged.counts.set(part.counts.subarray(part.starts[from], part.starts[from + 1]), at);
      merged.positions.set(positions, position);
      at += documents.length;
      position += positions.length;
    }
    merged.starts[row + 1] = at;
    merged.positionStarts[row + 1] = position;
  }
  return merged;
}

/** The row of a lexeme by its number; undefined where no document has it. */
export function rowOf({ lexemes }: Segment, lexeme: number): number | undefined {
  let low = 0;
  /* Numbers rise from 0 on, so that none stands behind the row of its own number: those of frequent lexemes, which are met early, are low. */
  let high = Math.min(lexemes.length, lexeme + 1);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lexemes[middle] ?? 0) < lexeme) low = middle + 1;
    else high = middle;
  }
  return lexemes[low] === lexeme ? low : undefined;
}

/** How much memory a segment takes, in bytes. */
export function bytesOf({ lexemes, documents, positions }: Segment): number {
  return lexemes.length * ROW_BYTES + documents.length * 3 + positions.length * 2;
}

function emptySegment(lexemes: Int32Array, documents: number, positions: number) {
  return {
    lexemes,
    starts: new Uint32Array(lexemes.length + 1),
    positionStarts: new Uint32Array(lexemes.length + 1),
    documents: new Uint16Array(documents),
    counts: new Uint8Array(documents),
    positions: new Uint16Array(positions),
  };
}

function addUp(starts: Uint32Array): void {
  for (let at = 1; at < starts.length; at += 1) starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0);
}
