import { bytesOf, mergeSegments, type Segment } from './segment.ts';
import type { LexemePattern } from './tsvector-text.ts';

/** Documents of a segment at most. */
export const SEGMENT_DOCUMENTS = 20_000;

/** The documents that have a lexeme, in one segment. */
export interface Postings {
  readonly documents: Int32Array;
  /** One less than how often each has it. */
  readonly counts: Uint8Array;
  readonly positions: Uint16Array;
}

/** The words of documents by number, as segments that are merged while they are small. */
export class Texts {
  readonly #segments: Segment[] = [];

  /** Adds documents, all numbered higher than those before. */
  append(segment: Segment): void {
    this.#segments.push(segment);
    for (;;) {
      const [before, last] = this.#segments.slice(-2);
      if (!before || !last || last.size * 2 < before.size || before.size + last.size > SEGMENT_DOCUMENTS) return;
      this.#segments.splice(-2, 2, mergeSegments(before, last));
    }
  }

  get bytes(): number {
    return this.#segments.reduce((sum, segment) => sum + bytesOf(segment), 0);
  }

  /** Documents with a lexeme, rising. */
  postingsOf(lexeme: string): Postings[] {
    return this.#segments.flatMap((segment) => postingsIn(segment, lexeme) ?? []);
  }

  /** Documents with all lexemes of a pattern, rising; where it is asked for, at its distances. */
  documentsOf({ lexemes, offsets }: LexemePattern, atDistances: boolean): number[] {
    const found: number[] = [];
    for (const segment of this.#segments) {
      const lists = lexemes.flatMap((lexeme) => postingsIn(segment, lexeme) ?? []);
      if (lexemes.length === 0 || lists.length < lexemes.length) continue;
      intersect(
        lists.map((list) => new Cursor(list)),
        atDistances ? offsets : undefined,
        found,
      );
    }
    return found;
  }
}

function postingsIn(segment: Segment, lexeme: string): Postings | undefined {
  const row = segment.rows.get(lexeme);
  if (row === undefined) return undefined;
  const [from, to] = [segment.starts[row], segment.starts[row + 1]];
  return {
    documents: segment.documents.subarray(from, to),
    counts: segment.counts.subarray(from, to),
    positions: segment.positions.subarray(segment.positionStarts[row], segment.positionStarts[row + 1]),
  };
}

/** Reads postings once, from the first on. */
class Cursor {
  readonly #postings: Postings;
  #at = 0;
  #firstPosition = 0;

  constructor(postings: Postings) {
    this.#postings = postings;
  }

  /** The first document from `document` on; undefined behind the last. */
  seek(document: number): number | undefined {
    const { documents, counts } = this.#postings;
    while (this.#at < documents.length && (documents[this.#at] ?? 0) < document) {
      this.#firstPosition += (counts[this.#at] ?? 0) + 1;
      this.#at += 1;
    }
    return documents[this.#at];
  }

  /** Positions in the document that was sought. */
  positions(): Uint16Array {
    const count = (this.#postings.counts[this.#at] ?? 0) + 1;
    return this.#postings.positions.subarray(this.#firstPosition, this.#firstPosition + count);
  }
}

function intersect(cursors: readonly Cursor[], offsets: readonly number[] | undefined, found: number[]): void {
  for (let document = 0; ; ) {
    const next = firstFrom(cursors, document);
    if (next === undefined) return;
    const isCommon = next === document;
    document = next;
    if (!isCommon) continue;
    if (offsets === undefined || isAtDistances(cursors, offsets)) found.push(document);
    document += 1;
  }
}

/** The same document where all have it, a later one where not; undefined where one has nothing from there on. */
function firstFrom(cursors: readonly Cursor[], document: number): number | undefined {
  let latest = document;
  for (const cursor of cursors) {
    const next = cursor.seek(latest);
    if (next === undefined) return undefined;
    latest = next;
  }
  return latest;
}

function isAtDistances(cursors: readonly Cursor[], offsets: readonly number[]): boolean {
  const [first, ...others] = cursors.map((cursor) => cursor.positions());
  return (first ?? []).some((position) =>
    others.every((positions, at) => positions.includes(position + (offsets[at + 1] ?? 0))),
  );
}
