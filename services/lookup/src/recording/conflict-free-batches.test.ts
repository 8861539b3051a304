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
