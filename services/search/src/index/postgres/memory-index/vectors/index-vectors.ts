import { type SimilarityOf, VectorTable } from './vector-table.ts';

export class IndexVectors {
  readonly model: string;
  version = 0n;
  /** It counts calls of `set`. */
  written = 0;
  #table: VectorTable | undefined;

  /** With `dimensions` 0 the first vector decides the length. */
  constructor(model: string, dimensions: number) {
    this.model = model;
    this.#table = dimensions > 0 ? new VectorTable(dimensions) : undefined;
  }

  get bytesEach(): number {
    return this.#table?.bytesEach ?? 0;
  }

  get bytes(): number {
    return this.#table?.bytes ?? 0;
  }

  /** 0 before the first vector, if nothing else told it. */
  get dimensions(): number {
    return this.#table?.dimensions ?? 0;
  }

  get rows(): number {
    return this.#table?.rows ?? 0;
  }

  set(number: number, vector: Int8Array): void {
    this.#table ??= new VectorTable(vector.length);
    this.#table.set(number, vector);
    this.written += 1;
  }

  /** Returns the vectors of numbers in [from, to), zeros where there is none. */
  copyRows(from: number, to: number): Int8Array {
    return this.#table?.copyRows(from, to) ?? new Int8Array();
  }

  similaritiesTo(asked: Int8Array): SimilarityOf | undefined {
    return this.#table?.similaritiesTo(asked);
  }
}
