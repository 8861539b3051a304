import { expect, test } from 'vitest';
import { ownsId } from './partitions.ts';

const IDS = 12_000;

test.each([1, 2, 3, 4, 16])('of %d partitions one has each document, and all have about as many', (of) => {
  for (const step of [1n, 2n, 16n, 1n << 32n]) {
    const counts = Array.from({ length: of }, (_, partition) => {
      const ids = Array.from({ length: IDS }, (_unused, at) => BigInt(at + 1) * step);
      return ids.filter((id) => ownsId({ partition, of }, id)).length;
    });
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(IDS);
    for (const count of counts) expect(Math.abs(count - IDS / of)).toBeLessThan((IDS / of) * 0.1);
  }
});
