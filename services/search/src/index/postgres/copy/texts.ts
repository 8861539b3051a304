import { Lexicon } from './lexicon.ts';
import { UNDATED_PARTITION } from './partition-number.ts';
import type { SearchedPartitions } from './searched-partitions.ts';
import { bytesOf, mergeSegments, rowOf, SEGMENT_DOCUMENTS, type Segment } from './segment.ts';
import type { LexemePattern } from './tsvector-text.ts';

/** The documents that have a lexeme, in one segment. */
export interface Postings {
  /** The number of the segment's first document. */
  readonly first: number;
  /** How far each is behind that one, rising. */
  readonly documents: Uint16Array;
  /** One less than how often each has it. */
  readonly counts: Uint8Array;
  readonly positions: Uint16Array;
}

/** The words of documents by number, as segments that are merged while they are small. */
export class Texts {
  readonly lexicon: Lexicon;
  readonly #segments: Segment[] = [];

  constructor(lexicon = new Lexicon()) {
    this.lexicon = lexicon;
  }

  /** Adds documents, numbered from the last one on, with lexemes of this lexicon. */
  append(segment: Segment): void {
    this.#segments.push(segment);
    for (;;) {
      const [before, last] = this.#segments.slice(-2);
      if (!before || !last || last.size * 2 < before.size || before.size + last.size > SEGMENT_DOCUMENTS) return;
      this.#segments.splice(-2, 2, mergeSegments(before, last));
    }
  }

  /** The texts of all documents in some partitions, and of others that lie in a segment with them; for reading alone. */
  inPartitions({ events, isUndated }: SearchedPartitions): Texts {
    const part = new Texts(this.lexicon);
    for (const segment of this.#segments)
      if (segment.newest >= events || (isUndated && segment.oldest === UNDATED_PARTITION)) part.#segments.push(segment);
    return part;
  }

  get bytes(): number {
    return this.#segments.reduce((sum, segment) => sum + bytesOf(segment), this.lexicon.bytes);
  }

  /** Documents with a lexeme, dead ones too. */
  countOf(lexeme: string): number {
    return this.postingsOf(lexeme).reduce((count, { documents }) => count + documents.length, 0);
  }

  /** Documents with a lexeme, rising. */
  postingsOf(lexeme: string): Postings[] {
    const number = this.lexicon.numberOf(lexeme);
    return number === undefined ? [] : this.#segments.flatMap((segment) => postingsIn(segment, number) ?? []);
  }

  /** Documents with all lexemes of a pattern, rising; where it is asked for, at its distances. */
  documentsOf({ lexemes, offsets }: LexemePattern, atDistances: boolean): number[] {
    const found: number[] = [];
    const numbers = lexemes.flatMap((lexeme) => this.lexicon.numberOf(lexeme) ?? []);
    if (lexemes.length === 0 || numbers.length < lexemes.length) return found;
    for (const segment of this.#segments) {
      const lists = numbers.flatMap((number) => postingsIn(segment, number) ?? []);
      if (lists.length === numbers.length) intersect(lists, atDistances ? offsets : undefined, found);
    }
    return found;
  }
}

function postingsIn(segment: Segment, lexeme: number): Postings | undefined {
  const row = rowOf(segment, lexeme);
  if (row === undefined) return undefined;
  const [from, to] = [segment.starts[row], segment.starts[row + 1]];
  return {
    first: segment.first,
    documents: segment.documents.subarray(from, to),
    counts: segment.counts.subarray(from, to),
    positions: segment.positions.subarray(segment.positionStarts[row], segment.positionStarts[row + 1]),
  };
}

/** Goes through all lists at once, each from its first document on. */
function intersect(lists: readonly Postings[], offsets: readonly number[] | undefined, found: number[]): void {
  const at = new Int32Array(lists.length);
  const { first: numbered } = lists[0] as Postings;
  /* Where the positions in the document at hand begin. */
  const from = new Int32Array(lists.length);
  for (let document = 0; ; ) {
    let isCommon = true;
    for (let list = 0; list < lists.length && isCommon; list += 1) {
      const { documents, counts } = lists[list] as Postings;
      let [next, first] = [at[list] ?? 0, from[list] ?? 0];
      for (; next < documents.length && (documents[next] ?? 0) < document; next += 1) first += (counts[next] ?? 0) + 1;
      if (next === documents.length) return;
      at[list] = next;
      from[list] = first;
      const reached = documents[next] ?? 0;
      isCommon = list === 0 || reached === document;
      document = reached;
    }
    if (!isCommon) continue;
    if (offsets === undefined || isAtDistances(lists, offsets, at, from)) found.push(numbered + document);
    document += 1;
  }
}

function isAtDistances(
  lists: readonly Postings[],
  offsets: readonly number[],
  at: Int32Array,
  from: Int32Array,
): boolean {
  const { counts, positions } = lists[0] as Postings;
  const start = from[0] ?? 0;
  const end = start + (counts[at[0] ?? 0] ?? 0) + 1;
  for (let one = start; one < end; one += 1) {
    let list = 1;
    while (list < lists.length && hasPosition(lists, list, (positions[one] ?? 0) + (offsets[list] ?? 0), at, from))
      list += 1;
    if (list === lists.length) return true;
  }
  return false;
}

function hasPosition(
  lists: readonly Postings[],
  list: number,
  wanted: number,
  at: Int32Array,
  from: Int32Array,
): boolean {
  const { counts, positions } = lists[list] as Postings;
  const start = from[list] ?? 0;
  const end = start + (counts[at[list] ?? 0] ?? 0) + 1;
  for (let one = start; one < end; one += 1) if (positions[one] === wanted) return true;
  return false;
}
