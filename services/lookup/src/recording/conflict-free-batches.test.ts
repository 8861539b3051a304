import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitIntoConflictFreeBatches } from './conflict-free-batches.ts';

test('no batch holds a source key twice, and the records of a key keep their order over the batches', () => {
  const records = fc
    .array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 })
    .map((keys) => keys.map((key, index) => ({ key, index })));
  fc.assert(
    fc.property(records, (all) => {
      const batches = splitIntoConflictFreeBatches(all);
      for (const batch of batches) expect(new Set(batch.map((record) => record.key)).size).toBe(batch.length);
      const ofKey = (some: typeof all, key: string) => some.filter((record) => record.key === key);
      for (const key of 'abcd') expect(ofKey(batches.flat(), key)).toEqual(ofKey(all, key));
    }),
  );
});

test('records of a topic share a batch only while all are distinct, and keep their order', () => {
  const number = fc.constantFrom(undefined, 1, 2, 3);
  const records = fc
    .array(fc.record({ topic: fc.constantFrom('x', 'y', undefined), number }), { maxLength: 30 })
    .map((all) => all.map((record, index) => ({ ...record, index, key: `${index}` })));
  const rule = {
    conflictKeysOf: ({ key }: { key: string }) => [key],
    topicOf: ({ topic }: { topic: string | undefined }) => topic,
    areDistinct: (one: { number: number | undefined }, other: { number: number | undefined }) =>
      one.number !== undefined && other.number !== undefined && one.number !== other.number,
  };
  fc.assert(
    fc.property(records, (all) => {
      const batches = splitIntoConflictFreeBatches(all, rule);
      for (const batch of batches)
        for (const [index, one] of batch.entries())
          for (const other of batch.slice(index + 1))
            expect(one.topic !== undefined && one.topic === other.topic && !rule.areDistinct(one, other)).toBe(false);
      const ofTopic = (some: typeof all, topic: string) => some.filter((record) => record.topic === topic);
      for (const topic of 'xy') expect(ofTopic(batches.flat(), topic)).toEqual(ofTopic(all, topic));
    }),
  );
  const distinct = Array.from({ length: 500 }, (_, index) => ({ topic: 'x', number: index, key: `${index}` }));
  expect(splitIntoConflictFreeBatches(distinct, rule)).toHaveLength(1);
});
