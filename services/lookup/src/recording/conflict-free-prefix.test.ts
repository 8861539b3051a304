import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ConflictRule, conflictFreePrefix } from './conflict-free-prefix.ts';

interface Numbered {
  readonly topic: string;
  readonly numbers: Readonly<Record<string, number>>;
}

const numbered: fc.Arbitrary<Numbered> = fc.record({
  topic: fc.constantFrom('x', 'y'),
  numbers: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.nat(9)),
});

const keysOf = ({ numbers }: Numbered) => Object.entries(numbers).map(([scheme, number]) => `${scheme} ${number}`);
const rule: ConflictRule<Numbered> = {
  conflictKeysOf: keysOf,
  topicsOf: ({ topic }) => [topic],
  marksOf: ({ numbers }) => Object.keys(numbers),
};

function conflict(one: Numbered, other: Numbered): boolean {
  if (keysOf(one).some((key) => keysOf(other).includes(key))) return true;
  return one.topic === other.topic && !Object.keys(one.numbers).some((scheme) => scheme in other.numbers);
}

test('the beginning ends before the first record that conflicts with one before it', () => {
  fc.assert(
    fc.property(fc.array(numbered, { maxLength: 12 }), (records) => {
      const first = records.findIndex((record, index) =>
        records.slice(0, index).some((before) => conflict(before, record)),
      );
      expect(conflictFreePrefix(records, rule)).toEqual(first === -1 ? records : records.slice(0, first));
    }),
    { numRuns: 1_000 },
  );
});

test('it looks at each record of it once, and at the one that ends it', () => {
  const looked: Numbered[] = [];
  const counting = {
    ...rule,
    conflictKeysOf: (record: Numbered) => {
      looked.push(record);
      return keysOf(record);
    },
  };
  const one = (number: number): Numbered => ({ topic: 'x', numbers: { a: number } });
  const distinct = Array.from({ length: 500 }, (_, index) => one(index));
  expect(conflictFreePrefix([...distinct, one(0), ...distinct], counting)).toHaveLength(500);
  expect(looked).toHaveLength(501);
});
