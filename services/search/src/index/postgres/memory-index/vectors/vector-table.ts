import { readFileSync } from 'node:fs';
import { growableArray } from '../documents/growable-array.ts';

/** Cosine (-1..1); undefined without a vector. */
export type SimilarityOf = (number: number) => number | undefined;

type Product = (a: number, b: number, bytes: number) => number;

const KERNEL = new WebAssembly.Module(readFileSync(new URL('./product.wasm', import.meta.url)));
const PAGE = 65_536;
/** The limit of a 32-bit address space, which is 11 million vectors of 384 dimensions. */
const MOST_PAGES = 65_536;
const LANES = 16;
/** The vector that is searched for takes the first page. */
const ROWS_FROM = PAGE;
const NORM_BYTES = 8;

/** One byte a dimension, outside V8's heap, where the kernel multiplies 16 bytes at once. */
export class VectorTable {
  readonly dimensions: number;
  readonly #rowBytes: number;
  readonly #memory = new WebAssembly.Memory({ initial: 2, maximum: MOST_PAGES });
  /** Length of each vector; 0 without one. */
  readonly #norms = growableArray(Float64Array);
  readonly #product: Product;
  rows = 0;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.#rowBytes = Math.ceil(dimensions / LANES) * LANES;
    const { exports } = new WebAssembly.Instance(KERNEL, { index: { memory: this.#memory } });
    this.#product = (exports as { readonly product: Product }).product;
  }

  get bytesEach(): number {
    return this.#rowBytes + NORM_BYTES;
  }

  get bytes(): number {
    return this.rows * this.bytesEach;
  }

  /** Ignores a vector of another length, which cannot be compared. */
  set(number: number, vector: Int8Array): void {
    if (vector.length !== this.dimensions) return;
    const at = this.#addressOf(number);
    this.#reserve(at + this.#rowBytes);
    new Int8Array(this.#memory.buffer).set(vector, at);
    this.#norms.set(number, lengthOf(vector));
    this.rows = Math.max(this.rows, number + 1);
  }

  /** Returns the rows of numbers in [from, to) side by side. */
  copyRows(from: number, to: number): Int8Array {
    const bytes = new Int8Array(this.dimensions * (to - from));
    const stored = new Int8Array(this.#memory.buffer);
    for (let number = from; number < to; number += 1) {
      const at = this.#addressOf(number);
      bytes.set(stored.subarray(at, at + this.dimensions), (number - from) * this.dimensions);
    }
    return bytes;
  }

  /** The result is valid until a vector is set or another one is searched for. */
  similaritiesTo(asked: Int8Array): SimilarityOf | undefined {
    if (asked.length !== this.dimensions) return undefined;
    new Int8Array(this.#memory.buffer).set(asked, 0);
    const ofAsked = lengthOf(asked);
    const norms = this.#norms.values;
    const rows = this.rows;
    const bytes = this.#rowBytes;
    return (number) => {
      const norm = number < rows ? (norms[number] ?? 0) : 0;
      return norm > 0 ? this.#product(0, ROWS_FROM + number * bytes, bytes) / (norm * ofAsked) : undefined;
    };
  }

  #addressOf(number: number): number {
    return ROWS_FROM + number * this.#rowBytes;
  }

  #reserve(end: number): void {
    const { byteLength } = this.#memory.buffer;
    if (end <= byteLength) return;
    const pages = Math.max(end - byteLength, byteLength >> 1) / PAGE;
    this.#memory.grow(Math.min(Math.ceil(pages), MOST_PAGES - byteLength / PAGE));
  }
}

function lengthOf(vector: Int8Array): number {
  let sum = 0;
  for (const value of vector) sum += value * value;
  return Math.sqrt(sum);
}
