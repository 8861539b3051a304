import { type SimilarityOf, VectorTable } from './vector-table.ts';

export class IndexVectors {
  readonly model: string;
  version = 0n;
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

  set(number: number, vector: Int8Array): void {
    this.#table ??= new VectorTable(vector.length);
    this.#table.set(number, vector);
  }

  similaritiesTo(asked: Int8Array): SimilarityOf | undefined {
    return this.#table?.similaritiesTo(asked);
  }
}
