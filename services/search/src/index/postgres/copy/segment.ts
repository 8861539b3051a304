import { IntegerList } from './integer-list.ts';
import { UNDATED_PARTITION } from './partition-number.ts';
import { readLexemesOf } from './tsvector-text.ts';

/** Which documents have which lexemes, how often and where; never changed. */
export interface Segment {
  /** The row of a lexeme. */
  readonly rows: ReadonlyMap<string, number>;
  /** Where the documents of a row begin; one more than there are rows. */
  readonly starts: Uint32Array;
  /** Where the positions of a row begin; one more than there are rows. */
  readonly positionStarts: Uint32Array;
  /** Numbers of documents, rising within a row. */
  readonly documents: Int32Array;
  /** One less than a lexeme has positions in each: the server keeps 256 at most. */
  readonly counts: Uint8Array;
  readonly positions: Uint16Array;
  /** Documents that it was made from. */
  readonly size: number;
  /** Between which partitions they lie, as `partitionNumber` gives them. */
  readonly oldest: number;
  readonly newest: number;
}

/** What a lexeme takes beside its documents, in bytes: an entry of a map with its text, and two starts. */
const LEXEME_BYTES = 120;

/** Makes a segment of documents whose numbers rise. */
export class SegmentBuilder {
  readonly #rows = new Map<string, number>();
  readonly #rowOf = new IntegerList();
  readonly #documents = new IntegerList();
  readonly #counts = new IntegerList();
  readonly #positions = new IntegerList();
  #size = 0;
  #oldest = Number.POSITIVE_INFINITY;
  #newest = Number.NEGATIVE_INFINITY;

  add(document: number, tsvector: string, partition = UNDATED_PARTITION): void {
    this.#size += 1;
    this.#oldest = Math.min(this.#oldest, partition);
    this.#newest = Math.max(this.#newest, partition);
    readLexemesOf(tsvector, (lexeme, positions) => {
      if (positions.length === 0) return;
      let row = this.#rows.get(lexeme);
      if (row === undefined) {
        row = this.#rows.size;
        this.#rows.set(lexeme, row);
      }
      this.#rowOf.push(row);
      this.#documents.push(document);
      this.#counts.push(positions.length);
      for (const position of positions) this.#positions.push(position);
    });
  }

  get size(): number {
    return this.#size;
  }

  build(): Segment {
    const segment = {
      ...emptySegment(this.#rows, this.#rowOf.size, this.#positions.size),
      size: this.#size,
      oldest: this.#oldest,
      newest: this.#newest,
    };
    const { starts, positionStarts } = segment;
    const [rowOf, counts] = [this.#rowOf.values, this.#counts.values];
    for (let at = 0; at < this.#rowOf.size; at += 1) {
      const row = rowOf[at] ?? 0;
      starts[row + 1] = (starts[row + 1] ?? 0) + 1;
      positionStarts[row + 1] = (positionStarts[row + 1] ?? 0) + (counts[at] ?? 0);
    }
    addUp(starts);
    addUp(positionStarts);
    this.#fill(segment);
    return segment;
  }

  #fill({ starts, positionStarts, documents, counts, positions }: Segment): void {
    const [rowOf, documentOf, countOf] = [this.#rowOf.values, this.#documents.values, this.#counts.values];
    const read = this.#positions.values;
    const [next, nextPosition] = [starts.slice(), positionStarts.slice()];
    let from = 0;
    for (let at = 0; at < this.#rowOf.size; at += 1) {
      const row = rowOf[at] ?? 0;
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

/** One segment of two, the numbers in the second all higher. */
export function mergeSegments(first: Segment, second: Segment): Segment {
  const rows = new Map(first.rows);
  for (const lexeme of second.rows.keys()) if (!rows.has(lexeme)) rows.set(lexeme, rows.size);
  const merged = {
    ...emptySegment(
      rows,
      first.documents.length + second.documents.length,
      first.positions.length + second.positions.length,
    ),
    size: first.size + second.size,
    oldest: Math.min(first.oldest, second.oldest),
    newest: Math.max(first.newest, second.newest),
  };
  let at = 0;
  let position = 0;
  for (const [lexeme, row] of rows) {
    for (const part of [first, second]) {
      const from = part.rows.get(lexeme);
      if (from === undefined) continue;
      const documents = part.documents.subarray(part.starts[from], part.starts[from + 1]);
      const positions = part.positions.subarray(part.positionStarts[from], part.positionStarts[from + 1]);
      merged.documents.set(documents, at);
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

/** How much memory a segment takes, in bytes. */
export function bytesOf({ rows, documents, positions }: Segment): number {
  return rows.size * LEXEME_BYTES + documents.length * 5 + positions.length * 2;
}

function emptySegment(rows: ReadonlyMap<string, number>, documents: number, positions: number) {
  return {
    rows,
    starts: new Uint32Array(rows.size + 1),
    positionStarts: new Uint32Array(rows.size + 1),
    documents: new Int32Array(documents),
    counts: new Uint8Array(documents),
    positions: new Uint16Array(positions),
  };
}

function addUp(starts: Uint32Array): void {
  for (let at = 1; at < starts.length; at += 1) starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0);
}
