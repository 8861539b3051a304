import { UNDATED_PARTITION } from '../partition-number.ts';
import { IntegerList } from './integer-list.ts';
import type { Lexicon } from './lexicon.ts';
import { readLexemesOf } from './tsvector-text.ts';
import { mergeWrittenTexts, type WrittenTexts, WrittenTextsBuilder } from './written-texts.ts';

/** One step of this many documents blocks the event loop for tens of milliseconds. */
export const SEGMENT_DOCUMENTS = 5_000;
/** 16-bit offsets limit an incrementally merged segment. */
export const LARGE_SEGMENT_DOCUMENTS = 2 ** 16;

export interface Segment {
  readonly first: number;
  readonly lexemes: Int32Array;
  readonly starts: Uint32Array;
  readonly positionStarts: Uint32Array;
  /** Offsets count from `first` and ascend within a row. */
  readonly documents: Uint16Array;
  /** Term frequency minus one; the server keeps at most 256 positions. */
  readonly counts: Uint8Array;
  readonly positions: Uint16Array;
  readonly written: WrittenTexts;
  readonly size: number;
  readonly oldest: number;
  readonly newest: number;
}

/** Postings and positions between two yields: a few milliseconds. */
const MERGED_AT_ONCE = 200_000;
const ROW_BYTES = 12;

interface AddedDocument {
  readonly written: readonly string[];
  readonly partition: number;
}

export class SegmentBuilder {
  readonly #lexicon: Lexicon;
  readonly #rows = new Map<number, number>();
  readonly #rowOf = new IntegerList();
  readonly #documents = new IntegerList();
  readonly #counts = new IntegerList();
  readonly #positions = new IntegerList();
  readonly #written: WrittenTextsBuilder;
  #first = 0;
  #size = 0;
  #oldest = Number.POSITIVE_INFINITY;
  #newest = Number.NEGATIVE_INFINITY;

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
    this.#written = new WrittenTextsBuilder(lexicon);
  }

  /** `written` has the parts of the text as written, each with its words separated by spaces. */
  add(
    document: number,
    tsvector: string,
    { written = [], partition = UNDATED_PARTITION }: Partial<AddedDocument> = {},
  ): void {
    if (this.#size === 0) this.#first = document;
    const behindFirst = document - this.#first;
    this.#size += 1;
    this.#oldest = Math.min(this.#oldest, partition);
    this.#newest = Math.max(this.#newest, partition);
    this.#written.add(written);
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
      written: this.#written.build(),
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

  #sortedRows(lexemes: Int32Array): Int32Array {
    const rowOrder = new Int32Array(lexemes.length);
    for (const [at, lexeme] of lexemes.entries()) rowOrder[this.#rows.get(lexeme) ?? 0] = at;
    return this.#rowOf.values.subarray(0, this.#rowOf.size).map((row) => rowOrder[row] ?? 0);
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

export function mergeSegments(parts: readonly Segment[]): Segment {
  const merging = mergeInSteps(parts);
  for (;;) {
    const { done, value } = merging.next();
    if (done) return value;
  }
}

export function* mergeInSteps(parts: readonly Segment[]): Generator<void, Segment, void> {
  const lexemes = lexemesOf(parts);
  const sum = (of: (part: Segment) => number) => parts.reduce((all, part) => all + of(part), 0);
  const merged = {
    ...emptySegment(
      lexemes,
      sum(({ documents }) => documents.length),
      sum(({ positions }) => positions.length),
    ),
    first: parts[0]?.first ?? 0,
    written: mergeWrittenTexts(parts.map(({ written }) => written)),
    size: sum(({ size }) => size),
    oldest: Math.min(...parts.map(({ oldest }) => oldest)),
    newest: Math.max(...parts.map(({ newest }) => newest)),
  };
  const rows = new Int32Array(parts.length);
  let [at, position, turnAt] = [0, 0, 0];
  for (let row = 0; row < lexemes.length; row += 1) {
    for (let which = 0; which < parts.length; which += 1) {
      const part = parts[which] as Segment;
      const from = rows[which] ?? 0;
      if (part.lexemes[from] !== lexemes[row]) continue;
      rows[which] = from + 1;
      const behind = part.first - merged.first;
      const { documents, counts, positions, starts, positionStarts } = part;
      const [start, end] = [starts[from] ?? 0, starts[from + 1] ?? 0];
      for (let one = start; one < end; one += 1, at += 1) {
        merged.documents[at] = (documents[one] ?? 0) + behind;
        merged.counts[at] = counts[one] ?? 0;
      }
      const positionsEnd = positionStarts[from + 1] ?? 0;
      for (let one = positionStarts[from] ?? 0; one < positionsEnd; one += 1, position += 1)
        merged.positions[position] = positions[one] ?? 0;
    }
    merged.starts[row + 1] = at;
    merged.positionStarts[row + 1] = position;
    if (at + position < turnAt) continue;
    turnAt = at + position + MERGED_AT_ONCE;
    yield;
  }
  return merged;
}

function lexemesOf(parts: readonly Segment[]): Int32Array {
  const end = 1 + Math.max(-1, ...parts.map(({ lexemes }) => lexemes.at(-1) ?? -1));
  const isThere = new Uint8Array(end);
  for (const { lexemes } of parts) for (const lexeme of lexemes) isThere[lexeme] = 1;
  const lexemes = new Int32Array(isThere.reduce((sum, one) => sum + one, 0));
  let at = 0;
  for (let lexeme = 0; lexeme < end; lexeme += 1) if (isThere[lexeme] === 1) lexemes[at++] = lexeme;
  return lexemes;
}

export function rowOf({ lexemes }: Segment, lexeme: number): number | undefined {
  let low = 0;
  /* Lexeme numbers are dense, so a row's index never exceeds its number. */
  let high = Math.min(lexemes.length, lexeme + 1);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lexemes[middle] ?? 0) < lexeme) low = middle + 1;
    else high = middle;
  }
  return lexemes[low] === lexeme ? low : undefined;
}

export function bytesOf({ lexemes, documents, positions, written }: Segment): number {
  const ofWritten = written.bytes.length + written.starts.length * 4;
  return lexemes.length * ROW_BYTES + documents.length * 3 + positions.length * 2 + ofWritten;
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
