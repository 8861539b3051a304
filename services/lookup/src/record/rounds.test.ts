import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inRounds } from './rounds.ts';

test('no round holds a key twice, and the records of a key keep their order over the rounds', () => {
  const records = fc
    .array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 })
    .map((keys) => keys.map((key, place) => ({ key, place })));
  fc.assert(
    fc.property(records, (batch) => {
      const rounds = inRounds(batch);
      for (const round of rounds) expect(new Set(round.map((record) => record.key)).size).toBe(round.length);
      const ofKey = (all: typeof batch, key: string) => all.filter((record) => record.key === key);
      for (const key of 'abcd') expect(ofKey(rounds.flat(), key)).toEqual(ofKey(batch, key));
    }),
  );
});
