import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import wabt from 'wabt';
import { cosine } from '../../../../ranking/fuse.ts';
import { VectorTable } from './vector-table.ts';

const read = (file: string) => readFileSync(new URL(file, import.meta.url));

test('product.wasm is compiled from product.wat', async () => {
  const { parseWat } = await wabt();
  const compiled = parseWat('product.wat', read('./product.wat').toString(), { simd: true }).toBinary({}).buffer;
  expect(Buffer.from(compiled)).toEqual(read('./product.wasm'));
});

/** Signed bytes that repeat for a seed. */
function bytes(length: number, seed: number): Int8Array {
  return Int8Array.from({ length }, (_, at) => ((at + 1) * (seed * 31 + 7)) % 127);
}

test.each([1, 15, 16, 17, 384, 1_536])('cosines of %i dimensions match the vectors', (dimensions) => {
  const table = new VectorTable(dimensions);
  const vectors = [1, 2, 3].map((seed) => bytes(dimensions, seed));
  for (const [number, vector] of vectors.entries()) table.set(number, vector);
  const asked = bytes(dimensions, 4).map((value) => -value);
  const similarityOf = table.similaritiesTo(asked);
  for (const [number, vector] of vectors.entries())
    expect(similarityOf?.(number)).toBeCloseTo(cosine(asked, vector), 12);
});

test('the extreme values do not overflow', () => {
  const table = new VectorTable(384);
  table.set(0, new Int8Array(384).fill(-127));
  expect(table.similaritiesTo(new Int8Array(384).fill(127))?.(0)).toBeCloseTo(-1, 12);
});

test('numbers without a vector have no similarity, and a later vector replaces an earlier one', () => {
  const table = new VectorTable(2);
  table.set(70_000, Int8Array.of(1, 0));
  table.set(70_000, Int8Array.of(0, 1));
  const similarityOf = table.similaritiesTo(Int8Array.of(0, 1));
  expect([0, 69_999, 70_000, 70_001].map((number) => similarityOf?.(number))).toEqual([
    undefined,
    undefined,
    1,
    undefined,
  ]);
});

test('vectors of another length are not compared', () => {
  const table = new VectorTable(2);
  table.set(0, Int8Array.of(1, 0, 0));
  expect(table.similaritiesTo(Int8Array.of(1, 0, 0))).toBeUndefined();
  expect(table.similaritiesTo(Int8Array.of(1, 0))?.(0)).toBeUndefined();
  expect(table.bytes).toBe(0);
});
