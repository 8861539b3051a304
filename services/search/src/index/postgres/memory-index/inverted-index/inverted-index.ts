import { setImmediate as turn } from 'node:timers/promises';
import { UNDATED_PARTITION } from '../partition-number.ts';
import type { SearchedPartitions } from '../searched-partitions.ts';
import type { Lexicon } from './lexicon.ts';
import {
  bytesOf,
  LARGE_SEGMENT_DOCUMENTS,
  mergeInSteps,
  mergeSegments,
  rowOf,
  SEGMENT_DOCUMENTS,
  type Segment,
} from './segment.ts';
import type { LexemePattern } from './tsvector-text.ts';

export interface Run {
  readonly first: number;
  readonly documents: Uint16Array;
  readonly from: number;
  readonly to: number;
}

export interface Postings extends Run {
  readonly counts: Uint8Array;
  readonly positions: Uint16Array;
  readonly positionsFrom: number;
}

/** Stores texts by document number, as segments that merge while small (log-structured merge). */
export class InvertedIndex {
  readonly lexicon: Lexicon;
  readonly #segments: Segment[] = [];

  constructor(lexicon: Lexicon) {
    this.lexicon = lexicon;
  }

  append(segment: Segment): void {
    this.#segments.push(segment);
    for (;;) {
      const [before, last] = this.#segments.slice(-2);
      if (!before || !last || last.size * 2 < before.size || before.size + last.size > SEGMENT_DOCUMENTS) return;
      if (before.first + before.size !== last.first) return;
      this.#segments.splice(-2, 2, mergeSegments([before, last]));
    }
  }

  dropBefore(partition: number): void {
    const kept = this.#segments.filter(({ oldest, newest }) => newest >= partition || oldest === UNDATED_PARTITION);
    this.#segments.splice(0, this.#segments.length, ...kept);
  }

  /** Merges in small steps; nothing may be appended meanwhile. Seeking in many segments is slow. */
  async mergeLarge(): Promise<void> {
    const merged: Segment[] = [];
    for (let from = 0; from < this.#segments.length; ) {
      const together = largeFrom(this.#segments, from);
      merged.push(together.length > 1 ? await mergeSlowly(together) : (together[0] as Segment));
      from += together.length;
    }
    this.#segments.splice(0, this.#segments.length, ...merged);
  }

  all(): InvertedIndexView {
    return new InvertedIndexView(this.lexicon, this.#segments.slice());
  }

  /** The result may include other partitions that share a segment. */
  inPartitions({ events, isUndated }: SearchedPartitions): InvertedIndexView {
    const searched = this.#segments.filter(
      ({ oldest, newest }) => newest >= events || (isUndated && oldest === UNDATED_PARTITION),
    );
    return new InvertedIndexView(this.lexicon, searched);
  }

  get bytes(): number {
    return this.#segments.reduce((sum, segment) => sum + bytesOf(segment), 0);
  }
}

/** The view serves one ranking and caches postings by lexeme. */
export class InvertedIndexView {
  readonly segments: readonly Segment[];
  readonly lexicon: Lexicon;
  readonly #postings = new Map<string, Postings[]>();

  constructor(lexicon: Lexicon, segments: readonly Segment[]) {
    this.lexicon = lexicon;
    this.segments = segments;
  }

  segmentOf(document: number): Segment | undefined {
    const { segments } = this;
    let [low, high] = [0, segments.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((segments[middle]?.first ?? 0) <= document) low = middle + 1;
      else high = middle;
    }
    const found = segments[low - 1];
    return found && document < found.first + found.size ? found : undefined;
  }

  countOf(lexeme: string): number {
    return this.postingsOf(lexeme).reduce((count, { from, to }) => count + to - from, 0);
  }

  postingsOf(lexeme: string): readonly Postings[] {
    let postings = this.#postings.get(lexeme);
    if (!postings) {
      const number = this.lexicon.numberOf(lexeme);
      postings = number === undefined ? [] : postingsInAll(this.segments, number);
      this.#postings.set(lexeme, postings);
    }
    return postings;
  }

  /** Ascending documents with all lexemes; `atDistances` also requires the pattern's distances. */
  documentsOf({ lexemes, offsets }: LexemePattern, atDistances: boolean): Run[] {
    const lists = lexemes.map((lexeme) => this.postingsOf(lexeme));
    const [rarest, ...others] = lists.toSorted((a, b) => a.length - b.length);
    if (!rarest) return [];
    return rarest.flatMap(({ first }) => {
      if (!others.every((list) => inSegment(list, first))) return [];
      const inThis = lists.flatMap((list) => inSegment(list, first) ?? []);
      const documents = intersect(inThis, atDistances ? offsets : undefined);
      return documents.length > 0 ? { first, documents, from: 0, to: documents.length } : [];
    });
  }
}

function largeFrom(segments: readonly Segment[], from: number): Segment[] {
  const together: Segment[] = [];
  let size = 0;
  for (let at = from; at < segments.length; at += 1) {
    const segment = segments[at] as Segment;
    const isOfOne = segment.oldest === segments[from]?.newest && segment.newest === segments[from]?.oldest;
    if (together.length > 0 && (!isOfOne || size + segment.size > LARGE_SEGMENT_DOCUMENTS)) break;
    together.push(segment);
    size += segment.size;
  }
  return together;
}

async function mergeSlowly(segments: readonly Segment[]): Promise<Segment> {
  const merging = mergeInSteps(segments);
  for (;;) {
    const { done, value } = merging.next();
    if (done) return value;
    await turn();
  }
}

function postingsInAll(segments: readonly Segment[], lexeme: number): Postings[] {
  const found: Postings[] = [];
  for (const segment of segments) {
    const postings = postingsIn(segment, lexeme);
    if (postings) found.push(postings);
  }
  return found;
}

function postingsIn(segment: Segment, lexeme: number): Postings | undefined {
  const row = rowOf(segment, lexeme);
  if (row === undefined) return undefined;
  const { first, documents, counts, positions, starts, positionStarts } = segment;
  const [from, to] = [starts[row] ?? 0, starts[row + 1] ?? 0];
  return { first, documents, counts, positions, from, to, positionsFrom: positionStarts[row] ?? 0 };
}

function inSegment(list: readonly Postings[], first: number): Postings | undefined {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.first ?? 0) < first) low = middle + 1;
    else high = middle;
  }
  const found = list[low];
  return found?.first === first ? found : undefined;
}

function intersect(lists: readonly Postings[], offsets: readonly number[] | undefined): Uint16Array {
  const found: number[] = [];
  const at = Int32Array.from(lists, (list) => list.from);
  const positionsAt = Int32Array.from(lists, (list) => list.positionsFrom);
  for (let document = 0; ; ) {
    let isCommon = true;
    for (let list = 0; list < lists.length && isCommon; list += 1) {
      const { documents, counts, to } = lists[list] as Postings;
      let [next, position] = [at[list] ?? 0, positionsAt[list] ?? 0];
      for (; next < to && (documents[next] ?? 0) < document; next += 1) position += (counts[next] ?? 0) + 1;
      if (next === to) return Uint16Array.from(found);
      at[list] = next;
      positionsAt[list] = position;
      const reached = documents[next] ?? 0;
      isCommon = list === 0 || reached === document;
      document = reached;
    }
    if (!isCommon) continue;
    if (offsets === undefined || isAtDistances(lists, offsets, at, positionsAt)) found.push(document);
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
