import { expect, test } from 'vitest';
import { HoldFinder } from './hold-finder.ts';

function createFinder(stored: ReadonlyMap<bigint, string>) {
  const reads: (readonly bigint[])[] = [];
  const finder = new HoldFinder<string, bigint>({
    remembered: 2,
    read: async (operationIds) => {
      reads.push(operationIds);
      if (operationIds.includes(13n)) throw new Error('the database is gone');
      return stored;
    },
  });
  return { finder, reads };
}

test('calls at the same time share a read, and calls for the same operation share an entry of it', async () => {
  const { finder, reads } = createFinder(new Map([[1n, 'held']]));
  expect(await Promise.all([finder.find(1n), finder.find(2n), finder.find(1n)])).toEqual(['held', undefined, 'held']);
  expect(await finder.find(2n)).toBe(undefined);
  expect(reads).toEqual([[1n, 2n], [2n]]);
});

test('a read that fails fails for those who shared it alone', async () => {
  const { finder } = createFinder(new Map([[1n, 'held']]));
  const shared = await Promise.allSettled([finder.find(13n), finder.find(1n)]);
  expect(shared.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await finder.find(1n)).toBe('held');
});

test('a read has a bounded number of operations, and what fails in one leaves the others', async () => {
  const { finder, reads } = createFinder(new Map([[2_500n, 'held']]));
  const ids = Array.from({ length: 2_500 }, (_, index) => BigInt(index + 1));
  const outcomes = await Promise.allSettled(ids.map((id) => finder.find(id)));
  expect(reads.map(({ length }) => length)).toEqual([1_000, 1_000, 500]);
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1_000);
  expect(outcomes.at(-1)).toEqual({ status: 'fulfilled', value: 'held' });
});

test('what is remembered is recalled until newer things take its place', () => {
  const { finder } = createFinder(new Map());
  for (const operationId of [1n, 2n, 3n]) finder.remember(operationId, operationId * 10n);
  expect([1n, 2n, 3n].map((operationId) => finder.recall(operationId))).toEqual([undefined, 20n, 30n]);
});
