import { expect, test } from 'vitest';
import { type JudgedPair, readPairs } from '../../test/resolution-pairs.ts';
import { wilson } from '../../test/wilson.ts';
import { normalIdentifier } from '../record/check-company.ts';
import { factsOf, type NamedFacts } from './company-facts.ts';
import { Groups, type Merge } from './groups.ts';
import { loadResolutionVocabulary } from './vocabulary.ts';

const vocabulary = loadResolutionVocabulary();
const pairs = readPairs();

function said(side: NamedFacts) {
  return factsOf(vocabulary, { ...side, identifiers: side.identifiers.map(normalIdentifier) });
}

/** The merge that the rules make of a pair, recorded in this order; undefined: they stay two companies. */
function resolve(one: NamedFacts, other: NamedFacts): Merge | undefined {
  const groups = new Groups(vocabulary, [], []);
  groups.place(1n, said(one));
  groups.place(2n, said(other));
  return groups.merges[0];
}

interface Judgement {
  readonly pair: JudgedPair;
  readonly merge: Merge | undefined;
}

const judgements: Judgement[] = pairs.map((pair) => ({ pair, merge: resolve(pair.one, pair.other) }));

function figures(name: string, some: readonly Judgement[]): { precision: number; line: string } {
  const merged = some.filter(({ merge }) => merge);
  const right = merged.filter(({ pair }) => pair.same).length;
  const same = some.filter(({ pair }) => pair.same).length;
  const { low, high } = wilson(right, merged.length);
  const precision = right / merged.length;
  const share = (value: number) => value.toFixed(3);
  const line = `${name}: ${some.length} pairs, ${merged.length} merged, precision ${share(precision)} (95 % ${share(low)} to ${share(high)}), recall ${share(right / same)}`;
  return { precision, line };
}

test('at least 200 pairs are judged, in every stratum both ways', () => {
  expect(pairs.length).toBeGreaterThanOrEqual(200);
  for (const stratum of ['identifier', 'hostname', 'name'])
    for (const same of [true, false])
      expect(pairs.filter((pair) => pair.stratum === stratum && pair.same === same).length).toBeGreaterThan(2);
});

test('of what the rules merge at least 98 in 100 are one company, over all and by each rule', () => {
  const strata = Map.groupBy(judgements, ({ pair }) => pair.stratum);
  const all = [...strata].map(([name, some]) => figures(name, some));
  const overall = figures('all', judgements);
  console.info([...all, overall].map(({ line }) => line).join('\n'));
  for (const { precision } of [...all, overall]) expect(precision).toBeGreaterThanOrEqual(0.98);
});

test('each merge is one that the pair has in common, and its order does not matter', () => {
  for (const { pair, merge } of judgements) {
    if (merge) expect([pair.one.name, merge.rule]).toEqual([pair.one.name, pair.stratum]);
    expect([pair.one.name, resolve(pair.other, pair.one)?.rule]).toEqual([pair.one.name, merge?.rule]);
  }
});

test('what the rules get wrong is known by name', () => {
  const wrong = judgements.filter(({ pair, merge }) => merge && !pair.same);
  expect(wrong.map(({ pair }) => `${pair.one.name} / ${pair.other.name}`)).toEqual([
    'Continental Resources, Inc. / CONTINENTAL RESOURCES INC',
  ]);
});
