import { expect, test } from 'vitest';
import { HoldLoader } from './hold-loader.ts';

function createLoader(stored: ReadonlyMap<bigint, string>) {
  const reads: (readonly bigint[])[] = [];
  const loader = new HoldLoader<string, bigint>({
    maxCached: 2,
    read: async (operationIds) => {
      reads.push(operationIds);
      if (operationIds.includes(13n)) throw new Error('the database is gone');
      return stored;
    },
  });
  return { loader, reads };
}

test('calls at the same time share a read, and calls for the same operation share an entry of it', async () => {
  const { loader, reads } = createLoader(new Map([[1n, 'held']]));
  expect(await Promise.all([loader.load(1n), loader.load(2n), loader.load(1n)])).toEqual(['held', undefined, 'held']);
  expect(await loader.load(2n)).toBe(undefined);
  expect(reads).toEqual([[1n, 2n], [2n]]);
});

test('a read that fails fails for those who shared it alone', async () => {
  const { loader } = createLoader(new Map([[1n, 'held']]));
  const shared = await Promise.allSettled([loader.load(13n), loader.load(1n)]);
  expect(shared.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await loader.load(1n)).toBe('held');
});

test('a read has a bounded number of operations, and what fails in one leaves the others', async () => {
  const { loader, reads } = createLoader(new Map([[2_500n, 'held']]));
  const ids = Array.from({ length: 2_500 }, (_, index) => BigInt(index + 1));
  const outcomes = await Promise.allSettled(ids.map((id) => loader.load(id)));
  expect(reads.map(({ length }) => length)).toEqual([1_000, 1_000, 500]);
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1_000);
  expect(outcomes.at(-1)).toEqual({ status: 'fulfilled', value: 'held' });
});

test('a cached value is returned until newer ones evict it', () => {
  const { loader } = createLoader(new Map());
  for (const operationId of [1n, 2n, 3n]) loader.store(operationId, operationId * 10n);
  expect([1n, 2n, 3n].map((operationId) => loader.peek(operationId))).toEqual([undefined, 20n, 30n]);
});
