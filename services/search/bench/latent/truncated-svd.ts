import type { Random } from '../resampling.ts';
import type { TermMatrix } from './term-matrix.ts';

/** A dense matrix, row by row. */
interface Dense {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float64Array;
}

const OVERSAMPLING = 16;
const POWER_STEPS = 2;
const JACOBI_SWEEPS = 12;

/**
 * The leading right singular vectors of a sparse matrix, one row a term: a randomised range finder with power steps
 * (Halko, Martinsson and Tropp), then the eigenvectors of the small Gram matrix.
 */
export function rightSingularVectors(matrix: TermMatrix, rank: number, random: Random): Dense {
  const width = rank + OVERSAMPLING;
  let sample = dense(matrix.columns, width);
  for (let at = 0; at < sample.values.length; at += 1) sample.values[at] = gaussian(random);
  let range = orthonormal(times(matrix, sample));
  for (let step = 0; step < POWER_STEPS; step += 1) {
    sample = orthonormal(transposedTimes(matrix, range));
    range = orthonormal(times(matrix, sample));
  }
  const projected = transposedTimes(matrix, range);
  const { vectors, order } = eigenvectors(gram(projected));
  const result = dense(matrix.columns, rank);
  for (let row = 0; row < result.rows; row += 1)
    for (let to = 0; to < rank; to += 1) {
      let sum = 0;
      for (let from = 0; from < width; from += 1)
        sum += (projected.values[row * width + from] ?? 0) * (vectors.values[from * width + (order[to] ?? 0)] ?? 0);
      result.values[row * rank + to] = sum;
    }
  return orthonormal(result);
}

function dense(rows: number, columns: number): Dense {
  return { rows, columns, values: new Float64Array(rows * columns) };
}

function times(matrix: TermMatrix, right: Dense): Dense {
  const result = dense(matrix.rows, right.columns);
  eachEntry(matrix, (row, column, weight) => addScaled(result, row, right, column, weight));
  return result;
}

function transposedTimes(matrix: TermMatrix, right: Dense): Dense {
  const result = dense(matrix.columns, right.columns);
  eachEntry(matrix, (row, column, weight) => addScaled(result, column, right, row, weight));
  return result;
}

function eachEntry(
  { rows, starts, terms, weights }: TermMatrix,
  take: (row: number, column: number, weight: number) => void,
) {
  for (let row = 0; row < rows; row += 1)
    for (let at = starts[row] ?? 0; at < (starts[row + 1] ?? 0); at += 1) take(row, terms[at] ?? 0, weights[at] ?? 0);
}

function addScaled(to: Dense, toRow: number, from: Dense, fromRow: number, factor: number): void {
  const [a, b, width] = [toRow * to.columns, fromRow * from.columns, to.columns];
  for (let at = 0; at < width; at += 1)
    to.values[a + at] = (to.values[a + at] ?? 0) + factor * (from.values[b + at] ?? 0);
}

/** The same columns made orthonormal, one after the other (modified Gram-Schmidt). */
function orthonormal(matrix: Dense): Dense {
  const columns = Array.from({ length: matrix.columns }, (_, column) => {
    const values = new Float64Array(matrix.rows);
    for (let row = 0; row < matrix.rows; row += 1) values[row] = matrix.values[row * matrix.columns + column] ?? 0;
    return values;
  });
  for (const [at, column] of columns.entries()) {
    for (const earlier of columns.slice(0, at)) subtractPart(column, earlier);
    const length = Math.sqrt(dot(column, column));
    if (length > 0) for (let row = 0; row < column.length; row += 1) column[row] = (column[row] ?? 0) / length;
  }
  const result = dense(matrix.rows, matrix.columns);
  for (const [at, column] of columns.entries())
    for (let row = 0; row < matrix.rows; row += 1) result.values[row * matrix.columns + at] = column[row] ?? 0;
  return result;
}

function subtractPart(column: Float64Array, unit: Float64Array): void {
  const part = dot(column, unit);
  for (let row = 0; row < column.length; row += 1) column[row] = (column[row] ?? 0) - part * (unit[row] ?? 0);
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}

function gram({ rows, columns, values }: Dense): Dense {
  const result = dense(columns, columns);
  for (let row = 0; row < rows; row += 1)
    for (let a = 0; a < columns; a += 1) {
      const factor = values[row * columns + a] ?? 0;
      for (let b = 0; b < columns; b += 1)
        result.values[a * columns + b] =
          (result.values[a * columns + b] ?? 0) + factor * (values[row * columns + b] ?? 0);
    }
  return result;
}

/** Eigenvectors of a symmetric matrix as columns (cyclic Jacobi), and their order from the largest eigenvalue on. */
function eigenvectors(symmetric: Dense): { vectors: Dense; order: readonly number[] } {
  const size = symmetric.rows;
  const a = Float64Array.from(symmetric.values);
  const vectors = dense(size, size);
  for (let at = 0; at < size; at += 1) vectors.values[at * size + at] = 1;
  for (let sweep = 0; sweep < JACOBI_SWEEPS; sweep += 1)
    for (let p = 0; p < size - 1; p += 1) for (let q = p + 1; q < size; q += 1) rotate(a, vectors.values, size, p, q);
  const order = Array.from({ length: size }, (_, at) => at).toSorted(
    (x, y) => (a[y * size + y] ?? 0) - (a[x * size + x] ?? 0),
  );
  return { vectors, order };
}

function rotate(a: Float64Array, vectors: Float64Array, size: number, p: number, q: number): void {
  const off = a[p * size + q] ?? 0;
  if (Math.abs(off) < 1e-12) return;
  const theta = ((a[q * size + q] ?? 0) - (a[p * size + p] ?? 0)) / (2 * off);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  const turn = (values: Float64Array, at: number, to: number) => {
    const [x, y] = [values[at] ?? 0, values[to] ?? 0];
    values[at] = c * x - s * y;
    values[to] = s * x + c * y;
  };
  for (let k = 0; k < size; k += 1) turn(a, k * size + p, k * size + q);
  for (let k = 0; k < size; k += 1) turn(a, p * size + k, q * size + k);
  for (let k = 0; k < size; k += 1) turn(vectors, k * size + p, k * size + q);
}

/** Box and Muller. */
function gaussian(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
